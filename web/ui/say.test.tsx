import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { say, sentence, speak } from './say.ts'

afterEach(() => speak({}, 'en-GB'))

const AFRIKAANS = {
  'Your vet is here': 'Jou veearts is hier',
  '{vet} is with you, {name}': '{name}, {vet} is by jou',
  'Not translated yet': '',
}

it('a sentence is English by default', () => {
  expect(say('Your vet is here')).toBe('Your vet is here')
  expect(say('{vet} is with you, {name}', { vet: 'Dr Demo', name: 'Thabo' })).toBe(
    'Dr Demo is with you, Thabo',
  )
})

it("a sentence is translated if the language has it, in that language's word order", () => {
  speak(AFRIKAANS, 'af')
  expect(say('Your vet is here')).toBe('Jou veearts is hier')
  expect(say('{vet} is with you, {name}', { vet: 'Dr Demo', name: 'Thabo' })).toBe('Thabo, Dr Demo is by jou')
  expect(say(sentence('Your vet is here'))).toBe('Jou veearts is hier')
})

it('a sentence stays English if a language has no translation yet', () => {
  speak(AFRIKAANS, 'af')
  expect(say('Not translated yet')).toBe('Not translated yet')
  expect(say('Nobody knows this one')).toBe('Nobody knows this one')
})

it("a sentence leaves people's own text alone", () => {
  speak({ ...AFRIKAANS, Thabo: 'Wrong' }, 'af')
  expect(say('{vet} is with you, {name}', { vet: '{name}', name: 'Thabo' })).toBe('Thabo, {name} is by jou')
})

it('a sentence keeps elements inside a sentence', async () => {
  speak(AFRIKAANS, 'af')
  mount(<p>{say('{vet} is with you, {name}', { vet: <a href="/vet">Dr Demo</a>, name: 'Thabo' })}</p>)
  await expect.element(page.getByText('Thabo, Dr Demo is by jou')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Dr Demo' })).toBeVisible()
})
