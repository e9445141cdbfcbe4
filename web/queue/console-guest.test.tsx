import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import {
  blankNote,
  minutesAgo,
  sampleConsultation,
  samplePet,
  samplePicture,
  sampleRoom,
} from '#test/samples.ts'
import { visit } from '../test/visit.tsx'
import { StaffRoom } from './console.tsx'

const [VET, GUEST, CASE] = [3, 50, 7]
const AT = minutesAgo(120)
const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const buyer = { firstName: 'Thandi', lastName: 'Mokoena', email: 'buyer@example.com' }
const room = sampleRoom(CASE, 'Biscuit', {
  vet_id: VET,
  user: buyer,
  pet_issue: 'He ate half a slab of dark chocolate.',
  people: [
    { id: GUEST, side: 'owner', name: 'Thandi Mokoena', registration: null },
    { id: VET, side: 'vet', name: 'Dr Naledi Demo', registration: null },
  ],
})
const vet = {
  id: VET,
  type: 2,
  firstName: 'Naledi',
  lastName: 'Demo',
  consultations: [sampleConsultation(CASE, 'Biscuit', { user: buyer, vet_start: AT })],
}
const record = {
  pet: samplePet(CASE, 'Biscuit', { cover: { state: 'not_eligible', from: null, why: null } }),
  owner: { name: 'Thandi Mokoena', mobile: '082 123 4567', own_clinic: '', is_member: false },
  kept: { weights: [], facts: [], none: [] },
  earlier: [],
  note: blankNote,
}
const photo = {
  seq: 1,
  client_id: 'photo-of-the-slab',
  user_id: GUEST,
  body: '',
  attachment: samplePicture({ url: PICTURE }),
  at: AT,
}

function show() {
  const answers: Record<string, unknown> = {
    [`/consultation/${CASE}/note`]: { version: 1, saved_at: AT },
    '/user/me': vet,
    '/duty': [],
    '/queue/follow-ups': [],
    '/replies': [],
    '/consultation': { consultations: [], next: null, counts: { needs_help: 0 } },
    [`/consultation/${CASE}`]: { consultation: room },
    [`/consultation/${CASE}/record`]: record,
    [`/consultation/${CASE}/files`]: [{ attachment: photo.attachment, user_id: GUEST, at: AT }],
    '/queue/owners-here': [],
    [`/consultation/${CASE}/messages`]: { messages: [photo], marks: [], more: false },
  }
  const answer = (path: string) => answers[path.replace(/\?.*/, '')] ?? {}
  return visit('*', `/text-chat/${CASE}`, () => <StaffRoom id={CASE} me={VET} />, answer).sent
}

it('a vet serves a guest like a member: record, pictures, summary [VET-1]', async () => {
  const sent = show()
  const talk = page.getByRole('region', { name: 'Conversation' })
  await expect.element(talk.getByText('with Thandi Mokoena, 7')).toBeVisible()
  await expect.element(talk.getByText('He ate half a slab of dark chocolate.')).toBeVisible()
  await talk.getByRole('img', { name: /^Photo from Thandi Mokoena, \d\d:\d\d$/ }).click()
  await expect
    .element(page.getByRole('dialog').getByRole('img', { name: /^Photo from Thandi Mokoena, \d\d:\d\d$/ }))
    .toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect.element(talk.getByRole('textbox', { name: 'Message to Thandi Mokoena' })).toBeEnabled()

  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Record' }).click()
  const part = page.getByRole('region', { name: 'Record and note' })
  for (const words of [
    'Biscuit',
    /^Thandi Mokoena/,
    'No membership',
    'None given',
    'This is the first consult',
  ])
    await expect.element(part.getByRole('tabpanel', { name: 'Record' }).getByText(words)).toBeVisible()
  await expect
    .element(part.getByRole('link', { name: '082 123 4567' }))
    .toHaveAttribute('href', 'tel:0821234567')
  await part.getByRole('tab', { name: 'Files 1' }).click()
  await expect.element(part.getByRole('img', { name: /^Photo from Thandi Mokoena/ })).toBeVisible()
  await part.getByRole('tab', { name: 'Note' }).click()
  await part.getByRole('textbox', { name: 'Summary' }).fill('He is safe: it was too little for his weight.')
  await expect
    .poll(() => sent.findLast(([path]) => path.endsWith('/note'))?.[1])
    .toMatchObject({ summary: 'He is safe: it was too little for his weight.' })
})
