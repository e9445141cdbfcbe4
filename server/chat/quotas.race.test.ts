import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sendMessageByCall } from '#contract/chat.ts'
import { health } from '#contract/health.ts'
import { QUOTAS } from '#contract/limits.ts'
import { attachments, consultations, uploads } from '#server/db/schema.ts'
import { film, pdf } from '#test/documents.ts'
import { photo } from '#test/pictures.ts'
import { sendForm } from '#test/forms.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

let count = 0
const attach = (token: string, consultation: number, content: Buffer) =>
  sendForm(world.app, `/consultation/${consultation}/attachments`, token, {
    client_id: `quota-file-${++count}`,
    file: new File([new Uint8Array(content)], 'a.pdf'),
  })
const upload = async (token: string) =>
  sendForm(world.app, '/upload', token, { image: new File([new Uint8Array(await photo())], 'rex.jpg') })

/** Files of this size that were stored earlier. */
const stored = (userId: number, consultationId: number, files: number, bytes: number) =>
  world.db.insert(attachments).values(
    Array.from({ length: files }, () => ({
      consultationId,
      userId,
      name: `earlier-${++count}.pdf`,
      filename: 'a.pdf',
      type: 'application/pdf',
      bytes,
      createdAt: world.now(),
    })),
  )
const onDisk = () => {
  try {
    return readdirSync(path.join(world.env.dataDir, 'files/consultations')).length
  } catch {
    return 0
  }
}
const FULL = 'You’ve reached the file limit for this consult. You can still send messages.'
const TOMORROW = 'You’ve sent as many files as you can in one day. Please try again tomorrow.'

it('a consultation can have 50 files, however many arrive at the same moment [SAF-4]', async () => {
  const { owner, id } = await world.waiting()
  const before = onDisk()
  await stored(owner.id, id, 45, 10)
  const sent = await Promise.all(Array.from({ length: 10 }, () => attach(owner.token, id, pdf())))
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(5)
  const refused = sent.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.errors}`))).toEqual(
    new Set([`409 ${FULL}`]),
  )
  expect(onDisk() - before).toBe(5)
  expect(await world.rows(attachments, { consultationId: id })).toHaveLength(50)
})

it('a consultation can have 300 MB of files [SAF-4]', async () => {
  const { owner, id } = await world.waiting()
  await stored(owner.id, id, 1, 300 * 1024 * 1024 - 2 * film({ seconds: 9 }).length)
  const sent = await Promise.all([1, 2, 3, 4].map(() => attach(owner.token, id, film({ seconds: 9 }))))
  expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
})

it('a person stores 100 files a day, counting consults, pictures of pets and claims together [SAF-4]', async () => {
  const { owner, id } = await world.waiting()
  const other = await world.consultOf(owner)
  await stored(owner.id, id, 40, 10)
  await stored(owner.id, other.id, 40, 10)
  await world.db.insert(uploads).values(
    Array.from({ length: 17 }, () => ({
      name: `earlier-${++count}`,
      userId: owner.id,
      type: 'invoice',
      bytes: 10,
      createdAt: world.now(),
    })),
  )
  const sent = await Promise.all(
    [1, 2, 3].flatMap(() => [
      attach(owner.token, id, pdf()),
      attach(owner.token, other.id, pdf()),
      upload(owner.token),
    ]),
  )
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(3)
  for (const { status, body, headers } of sent.filter(({ status }) => status !== 200)) {
    expect([status, body.errors]).toEqual([429, [TOMORROW]])
    expect(Number(headers['retry-after'])).toBeGreaterThan(86_000)
  }
  world.advance({ hours: 25 })
  const again = await world.signIn(owner.id)
  expect((await attach(again, id, pdf())).status).toBe(200)
  expect((await upload(again)).status).toBe(200)
})

it("in a full consult the owner can't write any more, and the vet can [SAF-4]", async () => {
  const owner = await world.member()
  const vet = await world.vet()
  const { id: consultation } = await world.consultOf(owner, { vetId: vet.id, vetStart: world.now() })
  await world.change(consultations, consultation, { lastSeq: QUOTAS.consultation.messages - 1 })
  const say = (person: typeof owner | typeof vet, client_id: string) =>
    person.send(sendMessageByCall, { consultation, client_id, body: 'She fell' })
  expect((await say(owner, 'the-last-one')).status).toBe(200)
  const refused = await say(owner, 'one-too-many')
  expect([refused.status, refused.body.code]).toEqual([409, 'CONSULT_MESSAGES_FULL'])
  expect((await attach(owner.token, consultation, pdf())).body.errors).toEqual(refused.body.errors)
  expect(await world.rows(attachments, { consultationId: consultation })).toEqual([])
  // The answer got lost, so the message is sent again.
  expect((await say(owner, 'the-last-one')).status).toBe(200)
  expect((await say(vet, 'by-the-vet')).status).toBe(200)
})

it('a refused file gives its space back, and what a killed server left is removed [SAF-4]', async () => {
  const { owner, id } = await world.waiting()
  await stored(owner.id, id, 49, 10)
  const vet = await world.vet()
  expect((await attach(vet.token, id, pdf())).status).toBe(409)
  const put = world.world.files.put
  world.world.files.put = async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  expect((await attach(owner.token, id, pdf())).status).toBe(503)
  world.world.files.put = put
  expect((await attach(owner.token, id, pdf())).status).toBe(200)
  expect((await attach(owner.token, id, pdf())).status).toBe(409)
  // No message was stored with the 49, as if the server had died before it could.
  world.advance({ hours: 2 })
  for (let run = 0; run < 3; run++) {
    await world.pass({ minutes: 11 })
  }
  expect(await world.rows(attachments, { consultationId: id })).toHaveLength(1)
})

it('uploads are refused with a sentence while the disk is nearly full, and messages are stored [SAF-4]', async () => {
  const full = await createWorld({ env: { MIN_FREE_MB: '999999999' } })
  const owner = await full.member()
  const { id: consultation } = await full.consultOf(owner)
  const file = new File([new Uint8Array(film({ seconds: 9 }))], 'limp.mp4')
  for (const [path, fields] of [
    [`/consultation/${consultation}/attachments`, { client_id: 'nearly-full', file }],
    ['/upload', { image: file }],
  ] as const) {
    const { status, body, headers } = await sendForm(full.app, path, owner.token, fields)
    expect([status, body.errors, headers['retry-after']]).toEqual([
      503,
      ['We can’t take files at the moment. Please try again later. Messages still work.'],
      '600',
    ])
  }
  expect(readdirSync(full.env.dataDir)).not.toContain('receiving')
  await owner.call(sendMessageByCall, { consultation, client_id: 'words-still', body: 'She fell' })
  expect((await owner.send(health)).status).toBe(200)
})
