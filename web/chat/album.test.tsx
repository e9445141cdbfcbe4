import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Attachment, Message } from '#contract/chat.ts'
import { MINUTE } from '#contract/time.ts'
import { OWNER, PEOPLE, samplePicture, VET } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { AttachmentView } from './attachment.tsx'
import { rowsOf } from './message-rows.tsx'
import { ownPicture, showOwn } from './own-pictures.ts'

const AT = Date.parse('2026-11-21T02:15:00Z')
let seq = 0
const said = (user_id: number, kind?: Attachment['kind'], minutes = 0): Message => ({
  seq: ++seq,
  client_id: `client-${seq}`,
  user_id,
  body: kind ? '' : 'He is wobbly',
  attachment: kind ? samplePicture({ id: seq, kind }) : null,
  at: new Date(AT + minutes * MINUTE).toISOString(),
})
const shown = (messages: Message[]) =>
  rowsOf({
    messages,
    outbox: [],
    marks: [{ user_id: VET, delivered: 2, seen: 2 }],
    people: PEOPLE,
    me: OWNER,
    side: 'owner',
    isOnline: true,
    notes: [],
    question: undefined,
  }).flatMap((row) => (row.kind === 'message' ? [[row.album.map((one) => one.seq), row.status]] : []))

it('photos that one person sends one after the other appear side by side [CON-4]', () => {
  seq = 0
  expect(shown([said(OWNER, 'picture'), said(OWNER, 'picture', 1), said(OWNER)])).toEqual([
    [[1, 2], 'seen'],
    [[], 'sent'],
  ])
  seq = 0
  const apart = [said(OWNER, 'picture'), said(VET, 'picture'), said(OWNER, 'picture'), said(OWNER, 'video')]
  expect(shown(apart).map(([album]) => album)).toEqual([[1], [2], [3], []])
  seq = 0
  expect(shown([said(OWNER, 'picture'), said(OWNER, 'picture', 3)]).map(([album]) => album)).toEqual([
    [1],
    [2],
  ])
})

it('a picture that this page sent is shown from the server if the browser has lost it [CON-4]', async () => {
  showOwn('client-mine', new Blob(['not a picture'], { type: 'image/jpeg' }))
  const own = ownPicture('client-mine')
  expect(own).toMatch(/^blob:/)
  seq = 0
  const attachment = said(OWNER, 'picture').attachment!
  mount(<AttachmentView attachment={attachment} own={own} said="Your photo" />)
  await expect.element(page.getByRole('img', { name: 'Your photo' })).toHaveAttribute('src', attachment.url)
})
