import * as accounts from '#contract/accounts.ts'
import * as calls from '#contract/pets.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { query } from '../lib/queries.ts'

/** Whoever comes back to the page sees what another tab changed. What failed waits for its Try again. */
export const myPets = {
  ...query(calls.listPets, {}),
  refetchOnWindowFocus: 'always' as const,
  retryOnMount: false,
}

/** Hundreds of names that never change while a page stands. */
export const breeds = { ...query(calls.listBreeds, {}), staleTime: Number.POSITIVE_INFINITY }

const NOT_SAVED =
  'We could not reach VetChat, so nothing was saved yet. All you entered is still here: please try again.'
/** The list, and the membership whose places the pets take. */
const change = { invalidates: [calls.listPets, accounts.me], unanswered: NOT_SAVED }

export const useAddPet = () => useForForm(calls.addPet, change)
export const useUpdatePet = () => useForForm(calls.updatePet, change)

/** Sends a picture; a pet then names what comes back. */
export const sendPicture = (image: Blob, onProgress: (sent: number) => void, signal: AbortSignal) =>
  api(calls.uploadPicture, { image }, { onProgress, signal })
