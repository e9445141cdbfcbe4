import { speak } from '../ui/say.ts'
import { choices } from './session.ts'

/** Every language but English is a file of words by its code. */
const WORDS = import.meta.glob<Record<string, string>>('../words/*.json', { import: 'default' })

const wordsOf = (language: string) => WORDS[`../words/${language}.json`]

/** Says the page in the language that was chosen, or that the browser asks for first of those we have. */
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
