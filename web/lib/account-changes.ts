import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountChanged, CHANGES, me } from '#contract/accounts.ts'
import { listConsultations } from '#contract/consultations.ts'
import { myPaymentMethod } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { on, onConnection } from './live.ts'

const CALLS = {
  me,
  pets: listPets,
  consultations: listConsultations,
  card: myPaymentMethod,
} as const satisfies Record<(typeof CHANGES)[number], unknown>

/**
 * Fetches what another tab or the server changed, and everything after a lost connection. The first connection only
 * fetches consultations: a vet may just have joined, and an unchanged list costs next to nothing.
 */
export function followAccount(client: QueryClient) {
  let wasUp = false
  const look = (what: readonly (typeof CHANGES)[number][]) => {
    for (const one of what) void client.invalidateQueries({ queryKey: [CALLS[one].path] })
  }
  const stops = [
    on(accountChanged, ({ what }) => look(what)),
    onConnection((isUp) => {
      if (isUp) look(wasUp ? CHANGES : ['consultations'])
      wasUp ||= isUp
    }),
  ]
  return () => stops.forEach((stop) => stop())
}

export function useAccountChanges() {
  const client = useQueryClient()
  useEffect(() => followAccount(client), [client])
}
