import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { getPlanFile } from '#contract/aftercare.ts'
import { sendSummary } from '#contract/clinical.ts'
import { getConsultation, listAccess } from '#contract/consultations.ts'
import { summaries } from '#server/db/schema.ts'
import { advised, NOTE } from '#test/advice.ts'
import { pagesOf } from '#test/documents.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

it("the vet's plan as a PDF names pet, date and vet with registration, and says what to do, when to go in and what to watch for [CON-7]", async () => {
  const { owner, vet, id } = await advised(world)
  const { url } = await owner.call(getPlanFile, { id })
  const reply = await owner.open(url)
  expect([reply.statusCode, reply.headers['content-type'], reply.headers['content-disposition']]).toEqual([
    200,
    'application/pdf',
    `attachment; filename="VetChat plan.pdf"; filename*=UTF-8''VetChat%20plan.pdf`,
  ])
  expect(reply.headers['cache-control']).toContain('private')
  const [words] = await pagesOf(reply.rawPayload)
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Africa/Johannesburg' })
  for (const part of [
    'Biscuit',
    `Dr Thandi ${vet.lastName}`,
    vet.registration!,
    day.format(world.now()),
    NOTE.summary,
    NOTE.plan,
    NOTE.go_if,
    NOTE.watch_for,
  ])
    expect(words).toContain(part)
})

it("the vet's plan as a PDF is the newest version, and opens only for people who may read the consultation [CON-7] [SAF-4]", async () => {
  const { owner, vet, id } = await advised(world)
  const { url } = await owner.call(getPlanFile, { id })
  world.advance({ seconds: 1 })
  await vet.call(sendSummary, { consultationId: id, summary: 'It was five grapes.' })
  const newer = (await owner.call(getPlanFile, { id })).url
  expect(newer).not.toBe(url)
  expect((await pagesOf((await owner.open(newer)).rawPayload))[0]).toContain('It was five grapes.')
  const other = await advised(world)
  expect((await world.nobody.open(newer)).statusCode).toBe(401)
  expect((await other.owner.open(newer)).statusCode).toBe(404)
  await world.db.delete(summaries).where(eq(summaries.consultationId, id))
  expect((await owner.open(newer)).statusCode).toBe(404)
})

it("the vet's plan as a PDF opens for another vet or an admin with a reason, and isn't found before it is written [CON-1, CON-7]", async () => {
  const { owner, vet, id } = await advised(world)
  expect((await vet.send(getPlanFile, { id })).status).toBe(200)
  for (const other of [await world.vet(), await world.admin()]) {
    expect(await other.refusal(getPlanFile, { id })).toBe('CONSULT_SAY_WHY')
    await other.call(getConsultation, { id, why: 'She asks again' })
    expect((await other.send(getPlanFile, { id })).status).toBe(200)
  }
  const took = (await owner.call(listAccess, { id })).filter(({ action }) => action === 'opened the plan')
  expect(took).toHaveLength(3)
  const guest = await world.guest()
  expect(await guest.refusal(getPlanFile, { id: guest.consultation.id })).toBe('ADVICE_NOT_YET')
})
