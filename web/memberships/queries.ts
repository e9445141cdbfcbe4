import { useState } from 'react'
import { me } from '#contract/accounts.ts'
import type { Subscription } from '#contract/memberships.ts'
import { manageSubscription } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { ApiError } from '../lib/api.ts'
import { useCall } from '../lib/queries.ts'

/**
 * Cancels or restarts a membership. Every attempt carries the same key until a response arrives, so that a
 * request whose response was lost isn't done twice.
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
