import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { logout, me } from '#contract/accounts.ts'
import { type Attachment, listFiles, readMessages, readFilePart, sendMessageByCall } from '#contract/chat.ts'
import { getConsultation } from '#contract/consultations.ts'
import { addHours } from '#contract/time.ts'
import { attachmentKey } from '#server/consultations/rules.ts'
import { forgetConsultations } from '#server/consultations/writes.ts'
import { attachments, consultations } from '#server/db/schema.ts'
import { box, film, pdf } from '#test/documents.ts'
import { sendForm } from '#test/forms.ts'
import { largePng, photo, pictureFacts, pictureInScans } from '#test/pictures.ts'
import { refuseRows } from '#test/refuse-rows.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

let count = 0

/** Sends a file as a form does. */
async function send(
  token: string,
  consultation: number,
  content: Buffer,
  { filename = 'gums.jpg', client_id = `attachment-${++count}`, from = 0 } = {},
) {
  const file = new File([new Uint8Array(content)], filename)
  const path = `/consultation/${consultation}/attachments`
  const { status, body } = await sendForm(world.app, path, token, { client_id, from, file })
  return { status, body: body as { seq: number; attachment: Attachment; errors?: string[] } }
}

const opened = (url: string, headers: Record<string, string> = {}) =>
  world.app.inject({ method: 'GET', url, headers })
const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })

const kept = () => {
  try {
    return readdirSync(path.join(world.env.dataDir, 'files/consultations'))
  } catch {
    return []
  }
}

describe('a file in a consultation', () => {
  it('a file in a consultation with the client id of a text message is refused and not stored [CON-2, CON-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    const client_id = `attachment-${++count}`
    await owner.call(sendMessageByCall, { consultation, client_id, body: 'Her gums are pale' })
    const before = kept().length
    const { status, body } = await send(owner.token, consultation, await photo(), { client_id })
    expect([status, body.errors]).toEqual([409, ['This request was already sent with different details.']])
    expect(kept()).toHaveLength(before)
    const { messages } = await owner.call(readMessages, { consultation })
    expect(messages.map(({ body }) => body)).toEqual(['Her gums are pale'])
  })

  it('a file in a consultation is a message of its own, and a picture is re-encoded without the place where it was taken [CON-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    const { status, body } = await send(owner.token, consultation, await photo())
    expect(status).toBe(200)
    expect(body).toMatchObject({
      seq: 1,
      attachment: { kind: 'picture', filename: 'gums.jpg', width: 1200, height: 900 },
    })
    const { messages } = await owner.call(readMessages, { consultation })
    expect(messages).toEqual([expect.objectContaining({ seq: 1, body: '', attachment: body.attachment })])
    const file = await opened(body.attachment.url, as(owner))
    expect([file.statusCode, file.headers['content-type'], file.headers['x-content-type-options']]).toEqual([
      200,
      'image/jpeg',
      'nosniff',
    ])
    expect(await pictureFacts(file.rawPayload)).toMatchObject({ format: 'jpeg', exif: undefined })
  })

  it('a file in a consultation is listed for staff with every other file of the consult [CON-6]', async () => {
    const { owner, id: consultation } = await world.waiting()
    const vet = await world.vet()
    await send(owner.token, consultation, await photo())
    await owner.call(sendMessageByCall, { consultation, client_id: `text-${++count}-later`, body: 'There' })
    await send(owner.token, consultation, await photo())
    const files = await vet.call(listFiles, { consultation })
    expect(files.map(({ attachment, user_id }) => [attachment.kind, user_id])).toEqual([
      ['picture', owner.id],
      ['picture', owner.id],
    ])
    expect(files[0]!.at >= files[1]!.at).toBe(true)
    expect((await owner.send(listFiles, { consultation })).status).toBe(403)
  })

  it('a file in a consultation that is a film loses where it was filmed, a document is stored unchanged, and neither runs anything [CON-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    const place = Buffer.from('-33.9249+018.4241/')
    const filmed = Buffer.concat([film({ seconds: 30 }), box('udta', place)])
    const { body: movie } = await send(owner.token, consultation, filmed, { filename: 'a.mp4' })
    const { body: paper } = await send(owner.token, consultation, pdf(), { filename: '../lab <b>.pdf' })
    expect([movie.attachment.kind, paper.attachment.kind, paper.attachment.filename]).toEqual([
      'video',
      'document',
      'lab b.pdf',
    ])
    const [shown, saved] = await Promise.all(
      [movie, paper].map(({ attachment }) => opened(attachment.url, as(owner))),
    )
    const blanked = box('free', Buffer.alloc(place.length))
    expect(shown!.rawPayload).toEqual(Buffer.concat([film({ seconds: 30 }), blanked]))
    expect(shown!.headers['content-security-policy']).toContain('sandbox')
    expect([saved!.headers['content-type'], saved!.headers['content-disposition']]).toEqual([
      'application/pdf',
      `attachment; filename="lab b.pdf"; filename*=UTF-8''lab%20b.pdf`,
    ])
  })

  it('a file in a consultation opens for those who may read the consultation, by the cookie of their session, and nobody else [CON-4] [SAF-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    const { url } = (await send(owner.token, consultation, await photo())).body.attachment
    const cookieOf = async (reader: { send: typeof owner.send }, id = consultation) => {
      const { headers } = await reader.send(getConsultation, { id })
      return { cookie: String(headers['set-cookie']).split(';')[0]! }
    }
    const { headers } = await owner.send(getConsultation, { id: consultation })
    expect(headers['set-cookie']).toMatch(
      /^vetchat_files=[\w-]+\.[\w-]+; Path=\/media; HttpOnly; SameSite=Strict$/,
    )
    const mine = await cookieOf(owner)
    const { headers: how, statusCode } = await opened(url, mine)
    expect([statusCode, how['cache-control'], how['vary']]).toEqual([
      200,
      'private, max-age=86400, immutable',
      'Cookie',
    ])
    expect((await opened(url, { ...mine, 'if-none-match': String(how['etag']) })).statusCode).toBe(304)

    // A forwarded address opens nothing.
    expect((await opened(url)).statusCode).toBe(401)
    const forged = mine.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const [stranger, guest, vet] = [await world.member(), await world.guest(), await world.vet()]
    expect((await opened(url, { cookie: forged })).statusCode).toBe(401)
    const theirs = await cookieOf(guest, guest.consultation.id)
    expect(theirs.cookie).toMatch(/^vetchat_files_guest=/)
    expect((await opened(url, theirs)).statusCode).toBe(404)
    expect((await opened(url, as(stranger))).statusCode).toBe(404)
    // The cookie only opens files. It can't make calls.
    expect((await owner.with('').send(me, {}, mine)).status).toBe(401)
    expect((await owner.with(mine.cookie.split('=')[1]!).send(me)).status).toBe(401)
    // A browser may have a guest's and a person's cookie.
    expect((await opened(url, { cookie: `${theirs.cookie}; ${mine.cookie}` })).statusCode).toBe(200)
    const asVet = await cookieOf(vet)
    expect((await opened(url, asVet)).statusCode).toBe(200)

    // Once another vet has closed the case, a vet has to give a reason first.
    const colleague = await world.vet()
    const closed = { vetId: colleague.id, vetStart: world.now(), end: world.now() }
    await world.change(consultations, consultation, closed)
    expect((await opened(url, asVet)).statusCode).toBe(404)
    expect((await opened(url, as(colleague))).statusCode).toBe(200)
    await vet.call(getConsultation, { id: consultation, why: 'She asks again' })
    expect((await opened(url, asVet)).statusCode).toBe(200)

    // A session that ended opens nothing, and the browser forgets its cookie.
    const left = await owner.send(logout)
    expect([left.headers['set-cookie']].flat()).toHaveLength(3)
    expect(String(left.headers['set-cookie'])).toMatch(/vetchat_files=; Max-Age=0; Path=\/media/)
    expect((await opened(url, mine)).statusCode).toBe(401)
    world.advance({ days: 8 })
    expect((await opened(url, theirs)).statusCode).toBe(401)
    // After the account is erased, the file is gone.
    const again = { token: await world.signIn(colleague.id) }
    expect((await opened(url, as(again))).statusCode).toBe(200)
    await forgetConsultations(world.world, eq(consultations.userId, owner.id))
    expect((await opened(url, as(again))).statusCode).toBe(404)
  })

  it('a file in a consultation that can’t be read just now is asked for again: no browser keeps the failure [CON-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    const { url } = (await send(owner.token, consultation, await photo())).body.attachment
    await world.world.files.remove(attachmentKey(path.basename(url)))
    const { statusCode, headers } = await opened(url, as(owner))
    expect([statusCode, headers['cache-control'], headers['etag'], headers['content-disposition']]).toEqual([
      404,
      'no-store',
      undefined,
      undefined,
    ])
  })

  it('a file in a consultation is sent in parts to a player that asks for parts [CON-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    const content = film({ seconds: 30 })
    const { url } = (await send(owner.token, consultation, content, { filename: 'a.mp4' })).body.attachment
    const size = content.length
    for (const [range, from, to] of [
      ['bytes=0-1', 0, 1],
      ['bytes=100-', 100, size - 1],
      ['bytes=-100', size - 100, size - 1],
      ['bytes=5-99999999', 5, size - 1],
      ['bytes=-99999999', 0, size - 1],
    ] as const) {
      const part = await opened(url, { ...as(owner), range })
      expect([part.statusCode, part.headers['content-range']], range).toEqual([
        206,
        `bytes ${from}-${to}/${size}`,
      ])
      expect(part.rawPayload).toEqual(content.subarray(from, to + 1))
    }
    for (const range of ['bytes=99999999-', 'bytes=9-3', 'bytes=-0']) {
      const none = await opened(url, { ...as(owner), range })
      expect([none.statusCode, none.headers['content-range']], range).toEqual([416, `bytes */${size}`])
    }
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b'])
      expect((await opened(url, { ...as(owner), range })).statusCode, range).toBe(200)
    const changed = { ...as(owner), range: 'bytes=0-1', 'if-range': '"another"' }
    expect((await opened(url, changed)).statusCode).toBe(200)
    expect((await opened(url, { range: 'bytes=0-1' })).statusCode).toBe(401)
  })

  it('a file in a consultation that is a PDF is downloaded under the name that its sender gave it [CON-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    for (const [filename, plain, encoded] of [
      ['Blood results (2).pdf', 'Blood results (2).pdf', 'Blood%20results%20%282%29.pdf'],
      ['Rééducation 犬.pdf', 'Re_e_ducation _.pdf', 'R%C3%A9%C3%A9ducation%20%E7%8A%AC.pdf'],
      ['../../etc/passwd.pdf', 'passwd.pdf', 'passwd.pdf'],
      ['a; filename=b\t*1*.pdf', 'a_ filename_b1.pdf', 'a%3B%20filename%3Db1.pdf'],
      ['results', 'results.pdf', 'results.pdf'],
      ['fdp.exe\u202efdp.pdf', 'fdp.exefdp.pdf', 'fdp.exefdp.pdf'],
      [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(96)}.pdf`, `${'a'.repeat(96)}.pdf`],
    ] as const) {
      const { url } = (await send(owner.token, consultation, pdf(), { filename })).body.attachment
      const { headers } = await opened(url, as(owner))
      expect(headers['content-disposition'], filename).toBe(
        `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
      )
    }
  })

  it('a file in a consultation of another kind, too long, too large or from somebody who may not write is refused and not stored [CON-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    const [stranger, vet] = [await world.member(), await world.vet()]
    const before = kept().length
    const big = Buffer.concat([await photo(), Buffer.alloc(16_777_216)])
    const kinds =
      'You can send pictures, short videos or PDFs. If this is one, save it again and send the new file, or a screenshot of it.'
    for (const [content, status, words] of [
      [Buffer.from('<svg onload="alert(1)"/>'), 415, kinds],
      [Buffer.from('PK\u0003\u0004results.zip'), 415, kinds],
      [Buffer.from('%PDF-1.4 cut off'), 415, kinds],
      [Buffer.alloc(0), 415, kinds],
      [film({ seconds: 62 }), 413, 'A video can be up to 60 seconds long.'],
      [big, 413, 'A picture can be up to 16 MB.'],
    ] as const) {
      const refused = await send(owner.token, consultation, content)
      expect([refused.status, refused.body.errors]).toEqual([status, [words]])
    }
    expect((await send(stranger.token, consultation, await photo())).status).toBe(404)
    expect((await send(vet.token, consultation, await photo())).status).toBe(409)
    await world.db.update(consultations).set({ end: addHours(world.now(), -60), start: new Date(0) })
    expect((await send(owner.token, consultation, await photo())).status).toBe(409)
    expect(kept()).toHaveLength(before)
    expect(readdirSync(path.join(world.env.dataDir, 'receiving'))).toEqual([])
  })

  it('a file in a consultation that would take hours to decode is refused before it is read [CON-4, SAF-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    expect((await send(owner.token, consultation, pictureInScans(50))).status).toBe(200)
    expect((await send(owner.token, consultation, pictureInScans(51))).status).toBe(415)
  })

  it('a file in a consultation that has to be held in memory as a whole is refused before it is read, if it is large [CON-4, SAF-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    const status = async (interlaced: boolean) =>
      (await send(owner.token, consultation, await largePng({ interlaced }))).status
    expect([await status(false), await status(true)]).toEqual([200, 415])
  })

  it('a file in a consultation stays when its message is stored and the work after that fails [CON-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
    await world.change(consultations, consultation, { end: world.now() })
    const heal = await refuseRows(world, 'consultations', 'new.asked_again_at is not null')
    const client_id = `attachment-${++count}`
    const failed = await send(owner.token, consultation, await photo(), { client_id })
    await heal()
    expect(failed.status).toBe(500)
    const again = await send(owner.token, consultation, await photo(), { client_id })
    expect(again.status).toBe(200)
    expect((await opened(again.body.attachment.url, as(owner))).statusCode).toBe(200)
    const [row] = await world.rows(consultations, { id: consultation })
    expect(row!.askedAgainAt).not.toBeNull()
  })

  describe('that broke off', () => {
    const whole = Buffer.concat([film({ seconds: 30 }), box('free', Buffer.alloc(400_000, 3))])
    const received = () =>
      readdirSync(path.join(world.env.dataDir, 'receiving'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((bytes, { parentPath, name }) => bytes + statSync(path.join(parentPath, name)).size, 0)

    /** Loses the connection once the server has this many bytes of a file. */
    async function breakOff(
      sender: Awaited<ReturnType<typeof world.member>>,
      sent: { consultation: number; client_id: string },
      content: Buffer,
      bytes: number,
      from = 0,
    ) {
      const form = new FormData()
      form.append('client_id', sent.client_id)
      form.append('from', String(from))
      form.append('file', new File([new Uint8Array(content)], 'limp.mp4'))
      const { headers, body } = new Request('http://form', { method: 'POST', body: form })
      const { port } = world.app.server.address() as AddressInfo
      const request = http.request({
        port,
        method: 'POST',
        path: `/api/consultation/${sent.consultation}/attachments`,
        headers: {
          ...as(sender),
          'content-type': headers.get('content-type')!,
          'content-length': content.length + 1000,
        },
      })
      const broken = once(request, 'error')
      const form1 = Buffer.from(await new Response(body).arrayBuffer())
      request.write(form1.subarray(0, form1.indexOf('\r\n\r\n', form1.indexOf('filename=')) + 4 + bytes))
      await expect.poll(received).toBe(bytes)
      request.destroy()
      await broken
      await expect.poll(received).toBe(0)
    }

    it('a file that broke off continues there, as often as it does, for its sender alone [CON-4]', async () => {
      await world.app.listen({ port: 0 })
      const { owner, id: consultation } = await world.waiting()
      const vet = await world.vet()
      const sent = { consultation, client_id: `attachment-${++count}` }
      const before = kept().length
      await breakOff(owner, sent, whole, 150_000)
      expect(await owner.call(readFilePart, sent)).toEqual({ bytes: 150_000 })
      await breakOff(owner, sent, whole.subarray(150_000), 90_000, 150_000)
      expect(await owner.call(readFilePart, sent)).toEqual({ bytes: 240_000 })
      expect(kept()).toHaveLength(before + 1)
      expect(await vet.call(readFilePart, sent)).toEqual({ bytes: 0 })
      const part = kept().find((name) => name.endsWith('.part'))
      expect((await opened(`/media/consultations/${part}`, as(owner))).statusCode).toBe(404)

      const wrong = await send(owner.token, consultation, whole.subarray(7), { ...sent, from: 7 })
      expect([wrong.status, wrong.body.errors]).toEqual([
        409,
        ['The first part of this file is gone. Please send it again.'],
      ])
      const rest = { ...sent, filename: 'limp.mp4', from: 240_000 }
      const { status, body } = await send(owner.token, consultation, whole.subarray(240_000), rest)
      expect([status, body.attachment.kind, body.attachment.bytes]).toEqual([200, 'video', whole.length])
      expect((await opened(body.attachment.url, as(owner))).rawPayload).toEqual(whole)
      expect(kept()).toHaveLength(before + 1)
      expect(await owner.call(readFilePart, sent)).toEqual({ bytes: 0 })
    })

    it('a file that broke off is kept for an hour and counts, and the first few kilobytes aren’t kept [CON-4] [SAF-4]', async () => {
      const { owner, id: consultation } = await world.waiting()
      const [small, large] = ['small', 'large'].map((name) => ({ consultation, client_id: `${name}-part` }))
      await breakOff(owner, small!, whole, 60_000)
      await breakOff(owner, large!, whole, 200_000)
      const bytes = await Promise.all([small!, large!].map((sent) => owner.call(readFilePart, sent)))
      expect(bytes).toEqual([{ bytes: 0 }, { bytes: 200_000 }])
      expect(await world.rows(attachments, { consultationId: consultation })).toMatchObject([
        { bytes: 200_000 },
      ])
      world.advance({ minutes: 61 })
      await world.runDue()
      expect(await owner.call(readFilePart, large!)).toEqual({ bytes: 0 })
      expect(await world.rows(attachments, { consultationId: consultation })).toEqual([])
    })
  })

  it('a file in a consultation that is sent again is stored once [CON-2, CON-4]', async () => {
    const { owner, id: consultation } = await world.waiting()
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
