import { expect, it } from 'vitest'
import { listClaims } from '#contract/claims.ts'
import { sendClaim } from '#test/claims.ts'
import { createWorld } from '#test/world.ts'

it("without the insurer's address owners claim by hand, and the product says so [PET-10, D22]", async () => {
  const world = await createWorld()
  const { call, token, pet } = await world.member()
  expect((await call(listClaims, {})).sent_from_here).toBe(false)
  const claim = { pet_id: pet.id, incident: 'tick', happened_on: '2026-01-01', amount: 100 }
  const { status, body } = await sendClaim(world, token, claim)
  expect([status, body.errors]).toEqual([
    409,
    ['Claims can’t be sent from here yet. Please send the invoice to the insurer yourself.'],
  ])
})
