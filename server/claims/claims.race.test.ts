import { expect, it } from 'vitest'
import { listClaims } from '#contract/claims.ts'
import { addDays } from '#contract/time.ts'
import { pawcarePets, uploads } from '#server/db/schema.ts'
import { sendClaim } from '#test/claims.ts'
import { createWorld } from '#test/world.ts'
import { localDay } from '#contract/regions.ts'
import { atOnce } from '#test/at-once.ts'

const world = await createWorld({ env: { INSURER_EMAIL: 'claims@insurer.example' } })

it('of ten parallel claims three are accepted, within the yearly limit [PET-10]', async () => {
  const member = await world.member()
  await world.add(pawcarePets, { petId: member.pet.id, optIn: addDays(world.now(), -10) })
  const claim = { pet_id: member.pet.id, incident: 'vehicle', happened_on: localDay('za', world.now()) }
  const replies = await atOnce(10, (n) => sendClaim(world, member.token, { ...claim, amount: 5_000_000 + n }))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(7)
  const { claims, used } = await member.call(listClaims, {})
  expect([claims.length, used[0]]).toEqual([3, { pet_id: member.pet.id, paid: 10_000_000, incidents: 3 }])
  expect(await world.db.select().from(uploads)).toHaveLength(3)
})

it('the same claim sent eight times in parallel is one [PET-10]', async () => {
  const member = await world.member()
  await world.add(pawcarePets, { petId: member.pet.id, optIn: addDays(world.now(), -10) })
  const today = localDay('za', world.now())
  const claim = { pet_id: member.pet.id, incident: 'tick', happened_on: today, amount: 900_000 }
  const replies = await atOnce(8, () => sendClaim(world, member.token, claim))
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  expect((await member.call(listClaims, {})).claims).toHaveLength(1)
})
