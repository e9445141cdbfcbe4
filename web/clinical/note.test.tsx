import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Note } from '#contract/clinical.ts'
import type { Room } from '#contract/consultations.ts'
import { blankNote, minutesAgo, sampleRoom } from '#test/samples.ts'
import { mount } from '../lib/mount.tsx'
import { signIn } from '../lib/session.ts'
import { NotePane } from './note.tsx'

const AT = minutesAgo(120)
const room = sampleRoom(7, 'Simba', { vet_start: AT })

type Answer = (body: Record<string, unknown>) => Response | Promise<Response>
let leave = () => {}
function show(note: Note, save: Answer, change: Partial<Room> = {}, writes = true) {
  leave = mount(<NotePane room={{ ...room, ...change }} note={note} why="" writes={writes} />)
  const sent: Record<string, unknown>[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string } = {}) => {
    if (!body) return Response.json({ pet: null, owner: {}, earlier: [], note: theirs })
    const asked = JSON.parse(body) as Record<string, unknown>
    sent.push({ url, ...asked })
    return save(asked)
  })
  return sent
}
const theirs: Note = { ...blankNote, history: 'From the other window', version: 2, saved_at: AT }
const token = `head.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 600 }))}.signature`
beforeEach(() => signIn(token, true))

const saved = (version: number) => Response.json({ version, saved_at: AT })
const says = (words: string | RegExp) => expect.element(page.getByText(words)).toBeVisible()

it('the note is saved automatically after typing stops, over the version that the vet saw [CON-6]', async () => {
  const sent = show(blankNote, ({ version }) => saved(Number(version) + 1))
  await page.getByLabelText('History').fill('Off food')
  await says(/^Saved \d\d:\d\d$/)
  await page.getByLabelText('Assessment').fill('Biliary')
  await expect.poll(() => sent.length).toBe(2)
  expect(sent.map(({ version, history, assessment }) => [version, history, assessment])).toEqual([
    [0, 'Off food', ''],
    [1, 'Off food', 'Biliary'],
  ])
  await expect.poll(() => sessionStorage.getItem('note:7')).toBe(null)
})

it('parts that are filled in during one slow save are sent with the next one, over its version [CON-6]', async () => {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => (reach = resolve))
  let stored = 0
  const sent = show(blankNote, async ({ version }) => {
    await reached
    return version === stored
      ? saved(++stored)
      : Response.json({ errors: ['no'], code: 'NOTE_CHANGED_ELSEWHERE' }, { status: 409 })
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

it("a note that couldn't be saved stays on this computer, and the page says so [CON-6]", async () => {
  show(blankNote, () => Promise.reject(new TypeError('no network')))
  await page.getByLabelText('Findings').fill('Gums pale')
  await says('Not saved yet. Kept on this computer, trying again')
  leave()
  const sent = show(blankNote, () => saved(1))
  await expect.element(page.getByLabelText('Findings')).toHaveValue('Gums pale')
  await says(/^Saved \d\d:\d\d$/)
  expect(sent[0]).toMatchObject({ version: 0, findings: 'Gums pale' })
})

it('a save whose response is lost is sent again unchanged, followed by what was typed meanwhile [CON-6]', async () => {
  let stored = { version: 0, history: '' }
  const sent = show(blankNote, ({ version, history }) => {
    if (version === stored.version) {
      stored = { version: stored.version + 1, history: String(history) }
      if (stored.version === 1) throw new TypeError('connection lost')
    } else if (history !== stored.history)
      return Response.json({ errors: ['no'], code: 'NOTE_CHANGED_ELSEWHERE' }, { status: 409 })
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
        ? Response.json({ errors: ['no'], code: 'NOTE_CHANGED_ELSEWHERE' }, { status: 409 })
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

it("two windows don't overwrite each other: the vet sees both versions and keeps one [CON-6]", async () => {
  const sent = show({ ...blankNote, version: 1, saved_at: AT }, ({ version }) =>
    version === 1
      ? Response.json({ errors: ['no'], code: 'NOTE_CHANGED_ELSEWHERE' }, { status: 409 })
      : saved(3),
  )
  await page.getByLabelText('History').fill('From here')
  await says('Changed in your other window.')
  await page.getByRole('button', { name: 'See both' }).click()
  await says('From the other window')
  await page.getByRole('button', { name: 'Keep this version' }).click()
  await says(/^Saved \d\d:\d\d$/)
  expect(sent.at(-1)).toMatchObject({ version: 2, history: 'From here' })
  await expect.element(page.getByRole('heading', { name: 'Clinical note' })).toHaveFocus()
})

it('signing names what is missing, asks for confirmation and says what it does [CON-6] [CON-7]', async () => {
  const sent = show(blankNote, ({ summary }) =>
    summary === undefined ? Response.json({ emailed: [] }) : saved(1),
  )
  const sign = page.getByRole('button', { name: 'Sign and end' })
  await says('Missing: the summary for the owner, the outcome.')
  expect(sign.element().getAttribute('aria-disabled')).toBe('true')
  sign.element().dispatchEvent(new MouseEvent('click', { bubbles: true }))
  expect(document.querySelector('dialog')).toBe(null)
  await page.getByLabelText('Summary').fill('He needs a blood smear')
  await page.getByText('Sent in now').click()
  await sign.click()
  await says(/This locks the note and ends the consult. Thabo Sample will get the advice/)
  await says('Not filled in: History, Findings, Assessment, What to do, Watch for, Go at once if.')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign and end' }).click()
  await expect.poll(() => sent.at(-1)?.['url']).toMatch(/\/consultation\/7\/end$/)
  expect(sent.at(-1)).toMatchObject({ version: 1 })
})

it('a signed note is locked, and additions follow below with name and time [CON-6]', async () => {
  const signed: Note = {
    ...blankNote,
    assessment: 'Suspect biliary',
    outcome: 'sent_in',
    version: 4,
    saved_at: AT,
    signed_at: AT,
    signed_by: 'Dr Naledi Demo',
    additions: [{ kind: 'addition', by: 'Dr Naledi Demo', body: 'Smear positive', at: AT }],
  }
  show(signed, () => Response.json(signed), { end: AT })
  await says(/^Signed .* by Dr Naledi Demo$/)
  await says('Smear positive')
  expect(document.querySelector('textarea')).toBe(null)
  await page.getByRole('button', { name: 'Add to this note' }).click()
  await expect.element(page.getByLabelText('What would you like to add?')).toHaveFocus()
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
