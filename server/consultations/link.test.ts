import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { readMessages } from '#contract/chat.ts'
import { mailWhenTaken, getConsultation, loginByLink } from '#contract/consultations.ts'
import { takeConsultation } from '#contract/queue.ts'
import { sessions, users } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { consultLink } from './rules.ts'

const world = await createWorld({ env: { SITES: 'au=http://au.localhost' } })

/** Reads what the page reads from its address. */
function partsOf(text: string) {
  const [, customer_id, consult_id, expires, signature] =
    /\/userVideo\/([^/\s]+)\/(\d+)\?expires=(\d+)&signature=([\w-]+)/.exec(text)!
  return { customer_id: customer_id!, consult_id: consult_id!, expires: expires!, signature: signature! }
}
const linkTo = (publicId: string, consultation: number) =>
  partsOf(consultLink(world.world, { customer: publicId, consultation }))

it.each(['za', 'au'] as const)(
  'a mailed link opens that consultation alone, for a guest and for an owner of %s [CON-9]',
  async (region) => {
    const [guest, owner] = [await world.guest(), await world.member(region)]
    const own = await world.consultOf(owner, { region })
    for (const [publicId, id] of [
      [guest.user.publicId, guest.consultation.id],
      [owner.publicId, own.id],
    ] as const) {
      const visitor = world.visitor()
      const { token } = await visitor.call(loginByLink, linkTo(publicId, id))
      const inside = visitor.with(token)
      expect((await inside.call(getConsultation, { id })).consultation.id).toBe(id)
      expect((await inside.send(readMessages, { consultation: id })).status).toBe(200)
      const other = id === own.id ? guest.consultation.id : own.id
      expect((await inside.send(getConsultation, { id: other })).status).toBe(404)
      expect((await inside.send(me)).status).toBe(401)
    }
  },
)

it('a mailed link opens once; a second or late try mails a fresh one [CON-9]', async () => {
  const guest = await world.guest()
  const used = linkTo(guest.user.publicId, guest.consultation.id)
  const visitor = world.visitor()
  await visitor.call(loginByLink, used)
  expect(await visitor.refusal(loginByLink, used)).toBe('LINK_SPENT')
  const [letter] = await world.mailsTo(guest.user.email)
  const fresh = partsOf(letter!.text)
  expect(fresh.signature).not.toBe(used.signature)
  world.advance({ hours: 49 })
  expect(await visitor.refusal(loginByLink, fresh)).toBe('LINK_SPENT')
  const last = partsOf((await world.mailsTo(guest.user.email)).at(-1)!.text)
  const { token } = await visitor.call(loginByLink, last)
  const { consultation } = await visitor.with(token).call(getConsultation, { id: guest.consultation.id })
  expect(consultation.id).toBe(guest.consultation.id)
})

it('a mailed link whose answer was lost opens the same session when the same press is sent again, and no other does [CON-9]', async () => {
  const guest = await world.guest()
  const link = linkTo(guest.user.publicId, guest.consultation.id)
  const visitor = world.visitor()
  const press = (key: string) => visitor.send(loginByLink, link, { 'idempotency-key': key })
  const atOnce = await Promise.all([press('press-1'), press('press-1')])
  const { body } = await press('press-1')
  for (const reply of atOnce) expect([reply.status, reply.body]).toEqual([200, body])
  expect(await world.mailsTo(guest.user.email)).toEqual([])
  const other = await press('press-2')
  expect([other.status, other.body.code]).toEqual([400, 'LINK_SPENT'])

  const { sid } = JSON.parse(Buffer.from(body.token.split('.')[1]!, 'base64url').toString()) as {
    sid: string
  }
  await world.db.update(sessions).set({ endedAt: world.now() }).where(eq(sessions.id, sid))
  expect((await press('press-1')).body.code).toBe('LINK_SPENT')
})

it('a mailed link opens once even if the server’s clock was days ahead for a moment [CON-9]', async () => {
  const guest = await world.guest()
  const used = linkTo(guest.user.publicId, guest.consultation.id)
  await world.visitor().call(loginByLink, used)
  await world.pass({ days: 3 })
  await world.pass({ days: -3 })
  expect(await world.visitor().refusal(loginByLink, used)).toBe('LINK_SPENT')
})

it("a mailed link that we didn't sign gets the same answer for every name, and mails nothing [CON-9, D14]", async () => {
  const [guest, other] = [await world.guest(), await world.guest()]
  const good = linkTo(guest.user.publicId, guest.consultation.id)
  const wrongs = [
    { ...good, signature: `${good.signature.slice(0, -1)}${good.signature.endsWith('A') ? 'B' : 'A'}` },
    { ...good, signature: 'x' },
    { ...good, expires: String(Number(good.expires) + 1) },
    { ...good, consult_id: String(other.consultation.id) },
    { ...good, customer_id: other.user.publicId },
    { ...good, customer_id: 'cus_nobody' },
    { ...good, consult_id: '2000000000' },
    // We signed it, but it names another owner's consultation.
    linkTo(other.user.publicId, guest.consultation.id),
    linkTo('cus_nobody', guest.consultation.id),
  ]
  const visitor = world.visitor()
  const replies = await Promise.all(wrongs.map((wrong) => visitor.send(loginByLink, wrong)))
  for (const reply of replies) expect([reply.status, reply.text]).toEqual([400, replies[0]!.text])
  expect(replies[0]!.body).toMatchObject({ code: 'LINK_WRONG' })
  const half = await visitor.send(loginByLink, { customer_id: good.customer_id })
  expect(half.body.errors).toEqual(replies[0]!.body.errors)
  expect(await world.mailsTo(guest.user.email)).toEqual([])
  await visitor.call(loginByLink, good)
})

it('a mailed link of an owner who deleted their account is refused [CON-9]', async () => {
  const guest = await world.guest()
  const link = linkTo(guest.user.publicId, guest.consultation.id)
  await world.change(users, guest.user.id, { deletedAt: world.now() })
  expect(await world.visitor().refusal(loginByLink, link)).toBe('LINK_WRONG')
})

it('a mailed link is in mails to guests; owners with an account get the plain address [CON-9, CON-3]', async () => {
  const [guest, owner, vet] = [await world.guest(), await world.member(), await world.vet()]
  const own = await world.consultOf(owner)
  await guest.call(mailWhenTaken, { id: guest.consultation.id })
  await owner.call(mailWhenTaken, { id: own.id })
  for (const id of [guest.consultation.id, own.id]) await vet.call(takeConsultation, { id })
  const [toGuest] = await world.mailsTo(guest.user.email)
  expect(toGuest!.text).not.toContain('/text-chat/')
  const { token } = await world.visitor().call(loginByLink, partsOf(toGuest!.text))
  const { consultation } = await world.nobody.with(token).call(getConsultation, { id: guest.consultation.id })
  expect(consultation.vet_name).toBe(`Dr Thandi ${vet.lastName}`)
  const [toOwner] = await world.mailsTo(owner.email)
  expect(toOwner!.text).toContain(`/text-chat/${own.id}`)
  expect(toOwner!.text).not.toContain('/userVideo/')
})
