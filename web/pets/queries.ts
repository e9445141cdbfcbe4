import { useQuery } from '@tanstack/react-query'
import * as accounts from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import { isActive, type Subscription } from '#contract/memberships.ts'
import { subscribePet } from '#contract/payments.ts'
import * as calls from '#contract/pets.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, usePaying } from '../lib/queries.ts'
import { now } from '../lib/session.ts'
import type { SentPurchase } from '../purchases/sent-purchase.ts'
import { say, sentence } from '../ui/say.ts'

/** Returning to the page shows what another tab changed. A failed load isn't repeated until Try again is pressed. */
export const myPets = {
  ...query(calls.listPets, {}),
  refetchOnWindowFocus: 'always' as const,
  retryOnMount: false,
}

/** Hundreds of names that never change while a page is open. */
export const breeds = { ...query(calls.listBreeds, {}), staleTime: Number.POSITIVE_INFINITY }

export const account = query(accounts.me, {})

/** The memberships that pets have places in; undefined until they have loaded. */
export function useMemberships(): Subscription[] | undefined {
  const { data } = useQuery(account)
  return data?.subscriptions.filter((one) => isActive(one, new Date(now())))
}

const NOT_SAVED = sentence(
  'We couldn’t reach VetChat, so nothing has been saved yet. Everything you entered is still here, so please try again.',
)
/** What to fetch again when a pet changes. */
const invalidates = [calls.listPets, accounts.me]
const change = () => ({ invalidates, unanswered: say(NOT_SAVED) })

export const useAddPet = () => useForForm(calls.addPet, change())
export const useUpdatePet = () => useForForm(calls.updatePet, change())
export const usePutPetAway = () => useForForm(calls.putPetAway, change())
export const useTickCare = () => useForForm(calls.tickCare, change())

/** Uploads a picture. A pet then refers to the returned name. */
export const sendPicture = (image: Blob, onProgress: (sent: number) => void, signal: AbortSignal) =>
  api(calls.uploadPicture, { image }, { onProgress, signal })

export type Purchase = SentPurchase<Input<typeof subscribePet>>

export const useSubscribePet = () => usePaying(subscribePet, invalidates)
