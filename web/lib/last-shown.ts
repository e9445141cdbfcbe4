import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { me, type User } from '#contract/accounts.ts'
import { myPaymentMethod, type PaymentMethod } from '#contract/payments.ts'
import { listPets, type Pet } from '#contract/pets.ts'
import { keepShown, markMember, type ShownKey, shownNow, useShown } from './session.ts'

/**
 * What a page can show before its calls answer: the name to greet, the pets' names, the card's last digits. The
 * person's number says which unsent messages are theirs. Frames show the rest; as a query's placeholder it would reach
 * components that need the whole person or pet.
 */
interface Shown {
  user: Pick<User, 'type' | 'firstName' | 'id'>
  pets: Pick<Pet, 'name' | 'species_id'>[]
  userPayment: Pick<PaymentMethod, 'brand' | 'last4'> | null
}

const PARTS: Record<string, [ShownKey, (answer: never) => Shown[ShownKey]]> = {
  [me.path]: ['user', ({ type, firstName, id }: User) => ({ type, firstName, id })],
  [listPets.path]: ['pets', (pets: Pet[]) => pets.map(({ name, species_id }) => ({ name, species_id }))],
  [myPaymentMethod.path]: [
    'userPayment',
    (card: PaymentMethod | null) => card && { brand: card.brand, last4: card.last4 },
  ],
}

/** Stores it whenever one of these calls answers, or a change is put into the cache. */
export function keepLastShown(client: QueryClient) {
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const [key, part] = PARTS[String(event.query.queryKey[0])] ?? []
    if (key && part) keepShown(key, () => part(event.query.state.data as never))
    if (key === 'user') markMember((event.query.state.data as User).subscription !== null)
  })
}

/** What this person's pages showed last. Undefined if there is nothing, and until we know who is signed in. */
export function useLastShown<K extends ShownKey>(key: K): Shown[K] | undefined {
  const stored = useShown(key)
  return useMemo(() => parsed<K>(stored), [stored])
}

/** Who is signed in here, as far as pages have shown it. */
export const userId = (): number | undefined => parsed<'user'>(shownNow('user'))?.id

function parsed<K extends ShownKey>(stored: string | null): Shown[K] | undefined {
  try {
    return stored === null ? undefined : (JSON.parse(stored) as Shown[K])
  } catch {
    return undefined
  }
}
