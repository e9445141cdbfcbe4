import { expect, it } from 'vitest'
import { saveClinic } from '#contract/clinics.ts'
import { acceptConsultation, loginClinic, myClinic, resetClinicPassword } from '#contract/portal.ts'
import { auditLog, consultations } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

it('of many who confirm at the same time one succeeds, and all learn who and when [CLI-3]', async () => {
  const [clinic, owner, vet] = [await world.clinic(), await world.member(), await world.vet()]
  for (let round = 0; round < 3; round++) {
    const { id } = await world.consultOf(owner)
    const at = world.now()
    await world.change(consultations, id, {
      start: at,
      vetStart: at,
      end: at,
      vetId: vet.id,
      clinicId: clinic.id,
    })
    await world.change(consultations, id, { clinicSharedAt: at, clinicNotifiedAt: at })
    const replies = await atOnce(8, () => clinic.send(acceptConsultation, { id }))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    const steps = await world.rows(auditLog, { subject: 'clinic share', subjectId: String(id) })
    expect(steps.map(({ action }) => action)).toEqual(['accepted'])
  }
})

it('of two new passwords for one clinic the first counts, and the second is refused [CLI-4]', async () => {
  const clinic = await world.clinic()
  const passwords = ['first password', 'second password']
  const replies = await Promise.all(
    passwords.map((password) => clinic.send(resetClinicPassword, { current: PASSWORD, password })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const signedIn = await Promise.all(
    passwords.map((password) => world.nobody.send(loginClinic, { username: clinic.username!, password })),
  )
  expect(signedIn.map(({ status }) => status)).toEqual(
    replies.map(({ status }) => (status === 200 ? 200 : 401)),
  )
})

it('a clinic whose username an admin removes while it signs in is signed out [CLI-1]', async () => {
  const admin = await world.admin()
  for (let round = 0; round < 3; round++) {
    const { id, username } = await world.clinic()
    const signingIn = world.nobody.send(loginClinic, { username: username!, password: PASSWORD })
    await admin.call(saveClinic, { id, username: '' })
    const { status, body } = await signingIn
    expect([200, 401]).toContain(status)
    if (status === 200) expect((await world.nobody.with(body.token).send(myClinic, {})).status).toBe(401)
  }
})
