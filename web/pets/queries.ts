import { useQuery } from '@tanstack/react-query'
import * as accounts from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import { isActive, type Subscription } from '#contract/memberships.ts'
import { manageSubscription, subscribePet } from '#contract/payments.ts'
import * as calls from '#contract/pets.ts'
import { PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { currentUser } from '../lib/current-user.ts'
import { query, useCall, usePaying } from '../lib/queries.ts'
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

/** The memberships that pets have places in; undefined until they have loaded. */
export function useMemberships(): Subscription[] | undefined {
  const { data } = useQuery(currentUser)
  return data?.subscriptions.filter((one) => isActive(one, new Date(now())))
}

/** Whether it has a free place. Pets who died or moved on keep theirs until the end of the paid period. */
export const hasRoom = ({ pets, leaving }: Subscription) => pets.length + leaving.length < PETS_PER_MEMBERSHIP

export const petsAway = query(calls.listPetsAway, {})

const NOT_SAVED = sentence(
  'We couldn’t reach VetChat, so this may not be saved yet. Everything you entered is still here, so please try again.',
)
const invalidates = [calls.listPets, calls.listPetsAway, accounts.me]
const change = () => ({ invalidates, unanswered: say(NOT_SAVED) })

export const useAddPet = () => useForForm(calls.addPet, change())
export const useUpdatePet = () => useForForm(calls.updatePet, change())
export const usePutPetAway = () => useForForm(calls.putPetAway, change())
export const useTickCare = () => useForForm(calls.tickCare, change())

export const useUntickCare = () => useCall(calls.tickCare, { invalidates })
export const useTakePetBack = () => useCall(calls.takePetBack, { invalidates, showsFailure: true })

/** Uploads a picture. A pet then refers to the returned name. */
export const sendPicture = (image: Blob, onProgress: (sent: number) => void, signal: AbortSignal) =>
  api(calls.uploadPicture, { image }, { onProgress, signal })

/** A pet to add along with a membership, or one that is in the account already. */
export type Wanted = Input<typeof subscribePet> | (Input<typeof manageSubscription> & { action: 'add' })

export type Purchase = SentPurchase<Wanted>

export function useBuyMembership() {
  const subscribe = usePaying(subscribePet, invalidates)
  const add = usePaying(manageSubscription, invalidates)
  return async ({ key, input }: Purchase) =>
    'pet' in input ? await subscribe({ key, input }) : await add({ key, input })
}
