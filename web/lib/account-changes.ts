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

/**
 * Looks again at what another tab or the server changed, and at all of it when the line had been lost. When it comes to stand first, only
 * consultations are looked at: a vet may have joined just now, and an unchanged list weighs next to nothing.
 */
export function followAccount(client: QueryClient) {
  const look = (what: readonly (typeof CHANGES)[number][]) => {
    for (const one of what) void client.invalidateQueries({ queryKey: [CALLS[one].path] })
  }
  const stops = [
    on(accountChanged, ({ what }) => look(what)),
    onStanding((first) => look(first ? ['consultations'] : CHANGES)),
  ]
  return () => stops.forEach((stop) => stop())
}
