import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Level } from '#contract/urgency.ts'

export interface Labelled {
  level: Level
  species: string
  text: string
}

/** The labelled set of complaints: those seen while the rules were written, and those kept out. */
export const complaints = (half: 'seen' | 'kept-out'): Labelled[] =>
  readFileSync(path.join(import.meta.dirname, `complaints/${half}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [level, species, ...text] = line.split(' | ')
      return { level: level as Level, species: species!, text: text.join(' | ') }
    })
