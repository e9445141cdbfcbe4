import { useState } from 'react'
import { me } from '#contract/accounts.ts'
import type { Subscription } from '#contract/memberships.ts'
import { manageSubscription } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { ApiError } from '../lib/api.ts'
import { useCall } from '../lib/queries.ts'

/**
 * Cancels a membership, or takes that back. The same key goes with every try until an answer has come, so that one
 * whose answer was lost on the way is not done twice.
 */
export function useManageSubscription() {
  const [key, setKey] = useState(newKey)
  const { mutateAsync } = useCall(manageSubscription, {
    invalidates: [me, listPets],
    showsFailure: true,
    options: { idempotencyKey: key },
  })
  return ({ id, plan }: Subscription, action: 'cancel' | 'restart') =>
    mutateAsync({ action, subscription: id, plan }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) setKey(newKey())
      throw error
    })
}

const newKey = () => crypto.randomUUID()
