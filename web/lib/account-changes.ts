import type { QueryClient } from '@tanstack/react-query'
import { accountChanged, CHANGES, me } from '#contract/accounts.ts'
import { listConsultations } from '#contract/consultations.ts'
import { myPaymentMethod } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { on, onStanding } from './live.ts'

const CALLS = {
  me,
  pets: listPets,
  consultations: listConsultations,
  card: myPaymentMethod,
} as const satisfies Record<(typeof CHANGES)[number], unknown>

/** Looks again at what another tab or the server changed, and at all of it when the line comes to stand. */
export function followAccount(client: QueryClient) {
  const look = (what: readonly (typeof CHANGES)[number][]) => {
    for (const one of what) void client.invalidateQueries({ queryKey: [CALLS[one].path] })
  }
  const stops = [on(accountChanged, ({ what }) => look(what)), onStanding(() => look(CHANGES))]
  return () => stops.forEach((stop) => stop())
}
