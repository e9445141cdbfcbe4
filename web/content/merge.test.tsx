import { expect, it } from 'vitest'
import { differences, isChosen, merged, sideBySide } from './merge.ts'

const base = {
  question: 'How long?',
  answer: 'About 20 minutes. We follow up. It costs the same.',
  clinical: false,
}

it('two versions of one page are put side by side by sentence [ADM-2]', () => {
  expect(sideBySide('One. Two. Three.', 'One. 2. Three.')).toEqual([
    { both: 'One. ' },
    { mine: 'Two. ', theirs: '2. ' },
    { both: 'Three.' },
  ])
})

it('two versions of one page are joined without a question if only one admin changed a sentence [ADM-2]', () => {
  const mine = { ...base, answer: 'About 15 minutes. We follow up. It costs the same.' }
  const theirs = {
    ...base,
    question: 'How long is it?',
    answer: 'About 20 minutes. We follow up. It is free.',
  }
  const all = differences(base, mine, theirs)
  expect(all.every(isChosen)).toBe(true)
  expect(merged(mine, theirs, all)).toEqual({
    question: 'How long is it?',
    answer: 'About 15 minutes. We follow up. It is free.',
    clinical: false,
  })
})

it('two versions of one page wait for a choice if both changed the same sentence [ADM-2]', () => {
  const mine = { ...base, answer: 'About 20 minutes. We ask later. It costs the same.', clinical: true }
  const theirs = { ...base, answer: 'About 20 minutes. We check in. It costs the same.' }
  const [answer, clinical] = differences(base, mine, theirs)
  expect([isChosen(answer!), isChosen(clinical!)]).toEqual([false, true])
  const chosen = { ...answer!, chosen: { 1: 'theirs' as const } }
  expect(merged(mine, theirs, [chosen, clinical!])).toEqual({ ...theirs, clinical: true })
})
