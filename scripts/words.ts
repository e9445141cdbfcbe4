import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { allSentences } from './sentences.ts'

/** `npm run words -- af` adds new sentences to a language's file and removes unused ones. */
const [language] = process.argv.slice(2)
if (!language || !/^[a-z]{2,3}$/.test(language)) {
  console.error('Which language? Give its code, such as: npm run words -- af')
  process.exit(1)
}
const folder = new URL('../web/words/', import.meta.url)
const file = new URL(`${language}.json`, folder)
const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
const sentences = [...allSentences()].toSorted()
const words = Object.fromEntries(sentences.map((sentence) => [sentence, known[sentence] ?? '']))
mkdirSync(folder, { recursive: true })
writeFileSync(file, `${JSON.stringify(words, null, 2)}\n`)
const left = sentences.filter((sentence) => !words[sentence]).length
console.log(`web/words/${language}.json: ${sentences.length} sentences, ${left} to translate`)
