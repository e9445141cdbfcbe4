import { speak } from '../ui/say.ts'
import { choices } from './session.ts'

/** Every language except English has a file of sentences, with the language's code as its name. */
const WORDS = import.meta.glob<Record<string, string>>('../words/*.json', { import: 'default' })

const wordsOf = (language: string) => WORDS[`../words/${language}.json`]

/** Translates the page to the chosen language, or to the browser's first preference that we have. */
export async function speakTheirs(): Promise<string | undefined> {
  const { language: chosen } = choices()
  const asked = typeof chosen === 'string' ? [chosen] : navigator.languages
  const codes = asked.map((language) => language.toLowerCase().split('-')[0]!)
  const first = codes.find((code) => code === 'en' || wordsOf(code))
  const load = first && wordsOf(first)
  if (!load) return undefined
  speak(await load(), first)
  document.documentElement.lang = first
  return first
}
