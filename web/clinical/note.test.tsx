import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Note } from '#contract/clinical.ts'
import type { Room } from '#contract/consultations.ts'
import { blankNote, minutesAgo, sampleRoom, sampleToken } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls, refused } from '../test/visit.tsx'
import { returnToDraft } from '../chat/draft.ts'
import { signIn } from '../lib/session.ts'
import { NotePane } from './note.tsx'

const AT = minutesAgo(120)
const room = sampleRoom(7, 'Simba', { vet_start: AT })

type Answer = (body: Record<string, unknown>) => Response | Promise<Response>
let leave = () => {}
function show(note: Note, save: Answer, change: Partial<Room> = {}, writes = true) {
  leave = mount(<NotePane room={{ ...room, ...change }} note={note} why="" writes={writes} />)
  const sent: Record<string, unknown>[] = []
  answerCalls((_, body) => {
    if (!body) return { pet: null, owner: {}, earlier: [], note: theirs }
    const asked = body as Record<string, unknown>
    sent.push(asked)
    return save(asked)
  })
  return sent
}
const theirs: Note = { ...blankNote, history: 'From the other window', version: 2, saved_at: AT }
beforeEach(() => signIn(sampleToken(), true))

const saved = (version: number) => Response.json({ version, saved_at: AT })
const says = (words: string | RegExp) => expect.element(page.getByText(words)).toBeVisible()

it('parts that are filled in during one slow save are sent with the next one, over its version [CON-6]', async () => {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  let stored = 0
  const sent = show(blankNote, async ({ version }) => {
    await reached
    return version === stored ? saved(++stored) : refused(409, 'NOTE_CHANGED_ELSEWHERE', 'no')
  })
  for (const part of ['History', 'Findings', 'Assessment', 'What to do'])
    await page.getByLabelText(part).fill(`${part}, typed`)
  await page.getByLabelText('Watch for').click()
  reach()
  await expect.poll(() => sessionStorage.getItem('note:7')).toBe(null)
  await says(/^Saved \d\d:\d\d$/)
  expect(sent.map(({ version, plan }) => [version, plan])).toEqual([
    [0, ''],
    [1, 'What to do, typed'],
  ])
})

it('a save whose response is lost is sent again unchanged, followed by what was typed meanwhile [CON-6]', async () => {
  let stored = { version: 0, history: '' }
  const sent = show(blankNote, ({ version, history }) => {
    if (version === stored.version) {
      stored = { version: stored.version + 1, history: String(history) }
      if (stored.version === 1) throw new TypeError('connection lost')
    } else if (history !== stored.history) return refused(409, 'NOTE_CHANGED_ELSEWHERE', 'no')
    return saved(stored.version)
  })
  await page.getByLabelText('History').fill('Off food')
  await says('Not saved yet. Kept on this computer, trying again')
  await page.getByLabelText('History').fill('Off food since Sunday')
  await says(/^Saved \d\d:\d\d$/)
  await expect.poll(() => stored).toEqual({ version: 2, history: 'Off food since Sunday' })
  expect(sent.map(({ history }) => history)).toEqual(['Off food', 'Off food', 'Off food since Sunday'])
})

it('a save that a reload cut off is sent again unchanged, followed by what was typed meanwhile [CON-6]', async () => {
  show(blankNote, () => new Promise(() => {}), { id: 9 })
  await page.getByLabelText('History').fill('Off food')
  await says('Saving…')
  await page.getByLabelText('History').fill('Off food since Sunday')
  // The next page knows only what this one stored.
  sessionStorage.setItem('note:8', sessionStorage.getItem('note:9')!)
  leave()
  const first = { ...blankNote, history: 'Off food', version: 1, saved_at: AT }
  const sent = show(
    first,
    ({ version, history }) =>
      version === 0 && history !== 'Off food'
        ? refused(409, 'NOTE_CHANGED_ELSEWHERE', 'no')
        : saved(Number(version) + 1),
    { id: 8 },
  )
  await expect.element(page.getByLabelText('History')).toHaveValue('Off food since Sunday')
  await expect
    .poll(() => sent.map(({ version, history }) => [version, history]))
    .toEqual([
      [0, 'Off food'],
      [1, 'Off food since Sunday'],
    ])
  await says(/^Saved \d\d:\d\d$/)
})

it('a vet without the case reads the note and the message for the next vet [CON-6]', async () => {
  const handed: Note = {
    ...theirs,
    additions: [{ kind: 'hand_over', by: 'Dr Pieter Sample', body: 'Told to go in', at: AT }],
  }
  show(handed, () => saved(1), {}, false)
  await says('Told to go in')
  await says('From the other window')
  expect(document.querySelector('textarea, footer')).toBe(null)
})

it('the vet reads before signing which message was never sent [CON-6]', async () => {
  const whole: Note = {
    ...theirs,
    assessment: 'A sprain',
    summary: 'A sprain',
    go_if: 'He falls',
    outcome: 'home',
  }
  returnToDraft(10, 'Keep him still tonight')
  show(whole, () => saved(3), { id: 10 })
  await page.getByRole('button', { name: 'Sign and end' }).click()
  await expect
    .element(page.getByRole('dialog').getByText('You haven’t sent this message yet: Keep him still tonight'))
    .toBeVisible()
})
