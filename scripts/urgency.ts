// Reads complaints with the newest rules, a JSON line each: npm run urgency -- --read FILE. Needs no database.
import { readFileSync, writeSync } from 'node:fs'
import * as z from 'zod'
import { newestRules } from '#server/urgency/version-reads.ts'

const USAGE = 'npm run urgency -- --read FILE'
const Line = z.object({
  species: z.string().default('other'),
  text: z.string().default(''),
  signs: z.array(z.string()).default([]),
})
const [option, file, ...more] = process.argv.slice(2)

if (option === '--read' && file !== undefined && more.length === 0) readLines(file)
else end(`Usage: ${USAGE}`)

function readLines(path: string) {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return end(`We couldn’t read ${path}.`)
  }
  const { reader } = newestRules()
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    let complaint: z.infer<typeof Line>
    try {
      complaint = Line.parse(JSON.parse(line))
    } catch {
      return end(`Line ${at + 1} of ${path} isn’t a complaint: {"species":"cat","text":"…"}`)
    }
    writeSync(1, `${JSON.stringify(reader(complaint))}\n`)
  }
}

function end(message: string) {
  writeSync(2, `${message}\n`)
  process.exitCode = 1
}
