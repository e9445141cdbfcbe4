import { afterEach, expect, it, vi } from 'vitest'
import { accountChanged, me } from '#contract/accounts.ts'
import { listConsultations } from '#contract/consultations.ts'
import { myPaymentMethod } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { followAccount } from './account-changes.ts'
import { makeQueryClient } from './query-client.ts'

/** The line, at the one place where the page reaches for it. */
const line = vi.hoisted(() => {
  const listeners = new Map<string, Set<(payload?: unknown) => void>>()
  const of = (name: string) => listeners.get(name) ?? new Set()
  return {
    on: (name: string, listen: () => void) => void listeners.set(name, of(name).add(listen)),
    off: (name: string, listen: () => void) => void of(name).delete(listen),
    connect: () => {},
    disconnect: () => {},
    hear: (name: string, payload?: unknown) => of(name).forEach((listen) => listen(payload)),
  }
})
vi.mock('socket.io-client', () => ({ io: () => line }))

let stop = () => {}
afterEach(() => stop())

/** What is asked for again. */
function follow() {
  const client = makeQueryClient(() => {})
  const again: unknown[] = []
  vi.spyOn(client, 'invalidateQueries').mockImplementation(async (filters) => {
    again.push(filters?.queryKey?.[0])
  })
  stop = followAccount(client)
  return () => again.splice(0)
}

it('what changed elsewhere is looked at again, and nothing else [ACC-3] [ACC-5]', () => {
  const again = follow()
  line.hear(accountChanged.push, { what: ['me', 'pets'] })
  expect(again()).toEqual([me.path, listPets.path])
  line.hear(accountChanged.push, { what: ['card'] })
  expect(again()).toEqual([myPaymentMethod.path])
  line.hear(accountChanged.push, { what: ['consultations'] })
  expect(again()).toEqual([listConsultations.path])
})

it('the first connection asks for nothing, one that comes back for all of it [ACC-10]', () => {
  const again = follow()
  line.hear('connect')
  expect(again()).toEqual([])
  line.hear('disconnect')
  line.hear('connect')
  expect(again()).toEqual([me.path, listPets.path, listConsultations.path, myPaymentMethod.path])
  line.hear('connect')
  expect(again()).toEqual([])
})

it('a page that was left hears nothing more', () => {
  const again = follow()
  stop()
  line.hear(accountChanged.push, { what: ['me'] })
  line.hear('disconnect')
  line.hear('connect')
  expect(again()).toEqual([])
})
