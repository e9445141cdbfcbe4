import { afterEach, expect, it, vi } from 'vitest'
import { accountChanged, me } from '#contract/accounts.ts'
import { listConsultations } from '#contract/consultations.ts'
import { myPaymentMethod } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { followAccount } from './account-changes.ts'
import { makeQueryClient } from './query-client.ts'
import { socket } from '../test/still-socket.ts'

let stop = () => {}
afterEach(() => stop())

/** The queries that were refetched. */
async function follow() {
  const client = makeQueryClient(() => {})
  const again: unknown[] = []
  vi.spyOn(client, 'invalidateQueries').mockImplementation(async (filters) => {
    again.push(filters?.queryKey?.[0])
  })
  stop = followAccount(client)
  // The socket's library loads a moment later.
  await vi.dynamicImportSettled()
  return () => again.splice(0)
}

it('only the data that changed elsewhere is fetched again [ACC-3] [ACC-5]', async () => {
  const again = await follow()
  socket.hear(accountChanged.push, { what: ['me', 'pets'] })
  expect(again()).toEqual([me.path, listPets.path])
  socket.hear(accountChanged.push, { what: ['card'] })
  expect(again()).toEqual([myPaymentMethod.path])
  socket.hear(accountChanged.push, { what: ['consultations'] })
  expect(again()).toEqual([listConsultations.path])
})

it('the first connection refetches consultations, and a reconnection refetches everything [ACC-10]', async () => {
  const again = await follow()
  socket.hear('connect')
  expect(again()).toEqual([listConsultations.path])
  socket.hear('disconnect')
  expect(again()).toEqual([])
  socket.hear('connect')
  expect(again()).toEqual([me.path, listPets.path, listConsultations.path, myPaymentMethod.path])
})

it.each([
  ['cut by the server', 'disconnect', 'io server disconnect', 1],
  ['cut on the way, which the socket mends itself', 'disconnect', 'transport close', 0],
  ['turned away by a server in trouble', 'connect_error', new Error('An Error Occurred'), 1],
  ['turned away for its token', 'connect_error', new Error('Unauthorized'), 0],
  ['turned away for the token of the session before', 'connect_error', new Error('Unauthorized'), 1, 'next'],
])('a connection that was %s', async (_name, what, why, tries, next = 'same') => {
  const signIn = (sid: string) =>
    localStorage.setItem('token', `h.${btoa(`{"exp":9999999999,"sid":"${sid}"}`)}.s`)
  signIn('same')
  await follow()
  socket.auth(() => {})
  signIn(next)
  socket.active = false
  socket.connect.mockClear()
  vi.useFakeTimers()
  socket.hear(what, why)
  vi.advanceTimersByTime(10_000)
  expect(socket.connect).toHaveBeenCalledTimes(tries)
})

it('a page that was left gets no more pushes', async () => {
  const again = await follow()
  stop()
  socket.hear(accountChanged.push, { what: ['me'] })
  socket.hear('disconnect')
  socket.hear('connect')
  expect(again()).toEqual([])
})
