// Reads complaints, one JSON line each, with the newest rules: npm run urgency -- --read FILE. Needs no database.
// Replays rules over stored consults: npm run urgency -- RULES, where RULES is a version or a file. Uses the server's database.
import { readFileSync, writeSync } from 'node:fs'
import * as z from 'zod'
import { REPLAY_DAYS } from '#contract/urgency.ts'
import { replay } from '#server/urgency/replay-reads.ts'
import { type Loaded, newestRules, rulesIn } from '#server/urgency/version-reads.ts'
import { onDatabase, say } from './own-database.ts'

const USAGE = 'npm run urgency -- --read FILE | RULES'
const Line = z.object({
  species: z.string().default('other'),
  text: z.string().default(''),
  signs: z.array(z.string()).default([]),
})
const [option, file, ...more] = process.argv.slice(2)

if (option === '--read' && file !== undefined && more.length === 0) readLines(file)
else if (option !== undefined && !option.startsWith('-') && file === undefined) await replayAll(option)
else say(`Usage: ${USAGE}`, 1)

function readLines(path: string) {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return say(`We couldn’t read ${path}.`, 1)
  }
  const { reader } = newestRules()
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    let complaint: z.infer<typeof Line>
    try {
      complaint = Line.parse(JSON.parse(line))
    } catch {
      say(`Line ${at + 1} of ${path} isn’t a complaint: {"species":"cat","text":"…"}`, 1)
      continue
    }
    writeSync(1, `${JSON.stringify(reader(complaint))}\n`)
  }
}

async function replayAll(name: string) {
  let rules: Loaded | undefined
  try {
    rules = rulesIn(name)
  } catch {
    return say(`${name} isn’t a rule set.`, 1)
  }
  if (!rules) return say(`There are no rules called ${name}. Usage: ${USAGE}`, 1)
  await onDatabase(
    async ({ database: { db }, now }) => {
      const all = await replay({ db, now }, rules, { days: REPLAY_DAYS, most: 1_000_000 })
      const row = (says: string, ...figures: (string | number)[]) =>
        `${says.padEnd(44)}${figures.map((figure) => String(figure).padStart(14)).join('')}\n`
      writeSync(1, `Version ${all.version}, ${all.consults} consults from ${all.from} to ${all.to}\n`)
      writeSync(1, row('Sign', 'Caught', 'Missed', 'False alarms'))
      for (const { says, caught, missed, false_alarms } of all.signs)
        writeSync(1, row(says, caught, missed, false_alarms))
      writeSync(1, row('All signs', all.caught, all.missed, all.false_alarms))
    },
    { inUse: 'Stop it first; with PostgreSQL this works beside running servers.' },
  )
}
