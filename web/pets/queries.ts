import { useQuery } from '@tanstack/react-query'
import * as accounts from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import { isActive, type Subscription } from '#contract/memberships.ts'
import { subscribePet } from '#contract/payments.ts'
import * as calls from '#contract/pets.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, usePaying } from '../lib/queries.ts'
import type { InHand } from '../purchases/in-hand.ts'
import { say, sentence } from '../ui/say.ts'

/** Whoever comes back to the page sees what another tab changed. What failed waits for its Try again. */
export const myPets = {
  ...query(calls.listPets, {}),
  refetchOnWindowFocus: 'always' as const,
  retryOnMount: false,
}

/** Hundreds of names that never change while a page stands. */
export const breeds = { ...query(calls.listBreeds, {}), staleTime: Number.POSITIVE_INFINITY }

export const account = query(accounts.me, {})

/** The memberships whose places pets take; undefined until they are known. */
export function useMemberships(): Subscription[] | undefined {
  const { data } = useQuery(account)
  return data?.subscriptions.filter((one) => isActive(one, new Date()))
}

const NOT_SAVED = sentence(
  'We couldn’t reach VetChat, so nothing has been saved yet. Everything you entered is still here, so please try again.',
)
/** The list, and the membership whose places the pets take. */
const invalidates = [calls.listPets, accounts.me]
const change = () => ({ invalidates, unanswered: say(NOT_SAVED) })

export const useAddPet = () => useForForm(calls.addPet, change())
export const useUpdatePet = () => useForForm(calls.updatePet, change())
export const usePutPetAway = () => useForForm(calls.putPetAway, change())
export const useTickCare = () => useForForm(calls.tickCare, change())

/** Sends a picture; a pet then names what comes back. */
export const sendPicture = (image: Blob, onProgress: (sent: number) => void, signal: AbortSignal) =>
  api(calls.uploadPicture, { image }, { onProgress, signal })

export type Purchase = InHand<Input<typeof subscribePet>>

export const useSubscribePet = () => usePaying(subscribePet, invalidates)
