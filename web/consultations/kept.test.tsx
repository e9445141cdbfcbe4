import type { ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Note } from '#contract/clinical.ts'
import { DAY } from '#contract/time.ts'
import { blankNote, minutesAgo, sampleRoom } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { lost, ok, type Turn } from '../test/turns.ts'
import { answerCalls } from '../test/visit.tsx'
import { CheckIn } from '../aftercare/check-in.tsx'
import { HandOverDialog } from '../queue/hand-over-dialog.tsx'
import { NotePane } from '../clinical/note.tsx'

const AT = minutesAgo(120)
const soon = new Date(Date.now() + DAY).toISOString()

let sent: unknown[] = []
/** What the server answers to a message. */
let meets: Turn
let leave = () => {}
/** Renders it as after a reload. */
function show(part: ReactNode) {
  leave()
  leave = mount(part)
}
beforeEach(() => {
  sent = []
  meets = ok({})
  answerCalls((path, body) => {
    if (!body) return path === '/duty' ? [{ id: 4, name: 'Dr Pieter Sample', cases: 1 }] : {}
    sent.push(body)
    return meets()
  })
})

const press = (name: string) => page.getByRole('button', { name }).click()

const room = sampleRoom(7, 'Simba')
const dialog = () => show(<HandOverDialog room={room} me={3} onClose={() => {}} onDone={() => {}} />)
const word = () => page.getByLabelText('What should they know?')

it('the message for the next vet survives a reload and a lost connection, and is cleared once the case is handed over [CON-6]', async () => {
  dialog()
  await word().fill('Told to go in')
  dialog()
  await expect.element(word()).toHaveValue('Told to go in')
  meets = lost
  await press('Hand over to Dr Pieter Sample')
  await expect.element(page.getByText(/What you wrote is still here, so please try again/)).toBeVisible()
  dialog()
  await expect.element(word()).toHaveValue('Told to go in')
  meets = ok({})
  await press('Hand over to Dr Pieter Sample')
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]).toMatchObject({ vet_id: 4, note: 'Told to go in' })
  await expect.poll(() => sessionStorage.length).toBe(0)
  dialog()
  await expect.element(word()).toHaveValue('')
})

it('the message for the next vet belongs to one case only [CON-6]', async () => {
  dialog()
  await word().fill('About Simba')
  show(<HandOverDialog room={sampleRoom(8, 'Kiwi')} me={3} onClose={() => {}} onDone={() => {}} />)
  await expect.element(word()).toHaveValue('')
})

const note: Note = {
  ...blankNote,
  assessment: 'Suspect biliary',
  outcome: 'sent_in',
  version: 4,
  saved_at: AT,
  signed_at: AT,
  signed_by: 'Dr Naledi Demo',
}
const pane = () => show(<NotePane room={sampleRoom(7, 'Simba', { end: AT })} note={note} why="" writes />)
const addition = () => page.getByLabelText('What would you like to add?')

it('an addition to a signed note that was begun is still open after a reload, until it is added [CON-6]', async () => {
  pane()
  await press('Add to this note')
  await addition().fill('Smear positive')
  pane()
  await expect.element(addition()).toHaveValue('Smear positive')
  // Nobody asked for it just now, so the focus stays where it is.
  await expect.element(addition()).not.toHaveFocus()
  meets = lost
  await press('Add')
  await expect.element(page.getByText('It wasn’t added. What you wrote is still here.')).toBeVisible()
  pane()
  await expect.element(addition()).toHaveValue('Smear positive')
  meets = ok(note)
  await press('Add')
  await expect.element(page.getByRole('button', { name: 'Add to this note' })).toBeVisible()
  expect(sent.at(-1)).toMatchObject({ body: 'Smear positive' })
  pane()
  await expect.element(page.getByRole('button', { name: 'Add to this note' })).toBeVisible()
  expect(sessionStorage.length).toBe(0)
})

it('an addition to a signed note that is discarded is gone [CON-6]', async () => {
  pane()
  await press('Add to this note')
  await addition().fill('Wrong case')
  await press('Discard')
  await press('Add to this note')
  await expect.element(addition()).toHaveValue('')
})

it('the draft of what changed survives a reload and a lost connection [CON-8]', async () => {
  const worse = { asked: true, answer: 'worse' as const, at: soon }
  const room = sampleRoom(7, 'Simba', { end: soon, follow_up_until: soon, check_in: worse })
  const changed = () => page.getByLabelText('What has changed?')
  show(<CheckIn room={room} />)
  await changed().fill('He will not drink')
  show(<CheckIn room={room} />)
  await expect.element(changed()).toHaveValue('He will not drink')
  meets = lost
  await press('See a vet again, free')
  await expect.poll(() => sent.length).toBe(1)
  show(<CheckIn room={room} />)
  await expect.element(changed()).toHaveValue('He will not drink')
  show(<CheckIn room={{ ...room, id: 8 }} />)
  await expect.element(changed()).toHaveValue('')
})
