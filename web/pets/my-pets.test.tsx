import { expect, it } from 'vitest'
import { coverSaid } from './my-pets.tsx'

it.each([
  ['covered', null, null, /^Covered by PawCare$/],
  ['waiting', '2026-11-23T12:05:00Z', null, /^PawCare begins \w+ \d+ Nov.*, \d\d:\d\d$/],
  ['opted_out', null, null, /^Opted out of PawCare$/],
  ['not_eligible', null, 'species', /^PawCare is for cats and dogs$/],
  ['not_eligible', null, 'age', /^PawCare begins at 8 weeks of age$/],
  ['not_eligible', null, 'membership', /^No PawCare without a membership$/],
] as const)('cover %s %s %s is said in words [PET-8]', (state, from, why, says) => {
  expect(coverSaid({ state, from, why }).words).toMatch(says)
})
