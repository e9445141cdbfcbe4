import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Attachment, readMessages, sendMessageByCall } from '#contract/chat.ts'
import { attachments, consultations } from '#server/db/schema.ts'
import { film, pdf } from '#test/documents.ts'
import { sendForm } from '#test/forms.ts'
import { photo, pictureFacts } from '#test/pictures.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

let world: TestWorld
beforeAll(async () => void (world = await createWorld()))
afterAll(() => world.close())

let count = 0

/** Sends a file as a form does. */
async function send(
  token: string,
  consultation: number,
  content: Buffer,
  { filename = 'gums.jpg', client_id = `attachment-${++count}` } = {},
) {
  const file = new File([new Uint8Array(content)], filename)
  const path = `/consultation/${consultation}/attachments`
  const { status, body } = await sendForm(world.app, path, token, { client_id, file })
  return { status, body: body as { seq: number; attachment: Attachment; errors?: string[] } }
}

async function consult() {
  const owner = await world.member()
  const { id } = await world.consultation({ userId: owner.id, petId: owner.pet.id })
  return { owner, consultation: id }
}
const opened = (url: string) => world.app.inject({ method: 'GET', url })
const kept = () => {
  try {
    return readdirSync(path.join(world.env.dataDir, 'files/consultations'))
  } catch {
    return []
  }
}

describe('a file in a consultation', () => {
  it('with the client id of a text message is refused, and nothing of it is kept [CON-2, CON-4]', async () => {
    const { owner, consultation } = await consult()
    const client_id = `attachment-${++count}`
    await owner.call(sendMessageByCall, { consultation, client_id, body: 'Her gums are pale' })
    const before = kept().length
    const { status, body } = await send(owner.token, consultation, await photo(), { client_id })
    expect([status, body.errors]).toEqual([409, ['This request was already sent with different details.']])
    expect(kept()).toHaveLength(before)
    const { messages } = await owner.call(readMessages, { consultation })
    expect(messages.map(({ body }) => body)).toEqual(['Her gums are pale'])
  })

  it('is a message of its own; a picture is re-encoded without the place where it was taken [CON-4]', async () => {
    const { owner, consultation } = await consult()
    const { status, body } = await send(owner.token, consultation, await photo())
    expect(status).toBe(200)
    expect(body).toMatchObject({
      seq: 1,
      attachment: { kind: 'picture', filename: 'gums.jpg', width: 1200, height: 900 },
    })
    const { messages } = await owner.call(readMessages, { consultation })
    expect(messages).toEqual([expect.objectContaining({ seq: 1, body: '', attachment: body.attachment })])
    const file = await opened(body.attachment.url)
    expect([file.statusCode, file.headers['content-type'], file.headers['x-content-type-options']]).toEqual([
      200,
      'image/jpeg',
      'nosniff',
    ])
    expect(await pictureFacts(file.rawPayload)).toMatchObject({ format: 'jpeg', exif: undefined })
  })

  it('that is a film or a document is stored unchanged, and opened without running anything [CON-4]', async () => {
    const { owner, consultation } = await consult()
    const { body: movie } = await send(owner.token, consultation, film({ seconds: 30 }), {
      filename: 'a.mp4',
    })
    const { body: paper } = await send(owner.token, consultation, pdf(), { filename: '../lab <b>.pdf' })
    expect([movie.attachment.kind, paper.attachment.kind, paper.attachment.filename]).toEqual([
      'video',
      'document',
      'lab b.pdf',
    ])
    const [shown, saved] = await Promise.all([movie, paper].map(({ attachment }) => opened(attachment.url)))
    expect(shown!.rawPayload).toEqual(film({ seconds: 30 }))
    expect(shown!.headers['content-security-policy']).toContain('sandbox')
    expect([saved!.headers['content-type'], saved!.headers['content-disposition']]).toEqual([
      'application/pdf',
      'attachment',
    ])
  })

  it('is opened by its signed address only, until the end of the next day [CON-4]', async () => {
    const { owner, consultation } = await consult()
    const { url } = (await send(owner.token, consultation, await photo())).body.attachment
    const other = (await send(owner.token, consultation, await photo())).body.attachment.url
    const signature = (address: string) => address.slice(address.indexOf('signature='))
    for (const wrong of [
      url.split('?')[0]!,
      url.replace(/until=\d+/, 'until=9999999999999'),
      url.replace(signature(url), signature(other)),
      `${url}x`,
      url.replace('/consultations/', '/pets/'),
    ])
      expect((await opened(wrong)).statusCode, wrong).toBe(404)
    world.advance({ hours: 23 })
    expect((await opened(url)).statusCode).toBe(200)
    world.advance({ hours: 25 })
    expect((await opened(url)).statusCode).toBe(404)
    const again = owner.with(await world.signIn(owner.id))
    const { messages } = await again.call(readMessages, { consultation })
    expect((await opened(messages[0]!.attachment!.url)).statusCode).toBe(200)
  })

  it('of another kind, too long, too large or from somebody who may not write is refused, and nothing of it is kept [CON-4]', async () => {
    const { owner, consultation } = await consult()
    const [stranger, vet] = [await world.member(), await world.vet()]
    const before = kept().length
    const big = Buffer.concat([await photo(), Buffer.alloc(16_777_216)])
    for (const [content, status, words] of [
      [Buffer.from('<svg onload="alert(1)"/>'), 415, 'You can send pictures, short videos or PDFs.'],
      [Buffer.from('PK\u0003\u0004results.zip'), 415, 'You can send pictures, short videos or PDFs.'],
      [Buffer.alloc(0), 415, 'You can send pictures, short videos or PDFs.'],
      [film({ seconds: 62 }), 413, 'A video can be up to 60 seconds long.'],
      [big, 413, 'A picture can be up to 16 MB.'],
    ] as const) {
      const refused = await send(owner.token, consultation, content)
      expect([refused.status, refused.body.errors]).toEqual([status, [words]])
    }
    expect((await send(stranger.token, consultation, await photo())).status).toBe(404)
    expect((await send(vet.token, consultation, await photo())).status).toBe(409)
    await world.db
      .update(consultations)
      .set({ end: new Date(world.now().getTime() - 60 * 3_600_000), start: new Date(0) })
    expect((await send(owner.token, consultation, await photo())).status).toBe(409)
    expect(kept()).toHaveLength(before)
    expect(readdirSync(path.join(world.env.dataDir, 'receiving'))).toEqual([])
  })

  it('that is sent again is stored once [CON-2, CON-4]', async () => {
    const { owner, consultation } = await consult()
    const before = [kept().length, (await world.db.select().from(attachments)).length]
    const [content, once] = [await photo(), { client_id: 'the-same-file' }]
    const tries = await Promise.all([1, 2, 3].map(() => send(owner.token, consultation, content, once)))
    tries.push(await send(owner.token, consultation, content, once))
    expect(new Set(tries.map(({ body }) => `${body.seq} ${body.attachment.url}`)).size).toBe(1)
    expect([kept().length, (await world.db.select().from(attachments)).length]).toEqual([
      before[0]! + 1,
      before[1]! + 1,
    ])
  })
})
