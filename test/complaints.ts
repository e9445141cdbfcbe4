import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Level } from '#contract/urgency.ts'

export interface Labelled {
  level: Level
  species: string
  text: string
}

/** Labelled complaints: those seen while the rules were written, those kept out, and those where one part of the body was read as another. */
export const complaints = (set: 'seen' | 'kept-out' | 'parts'): Labelled[] =>
  readFileSync(path.join(import.meta.dirname, `complaints/${set}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [level, species, ...text] = line.split(' | ')
      return { level: level as Level, species: species!, text: text.join(' | ') }
    })
