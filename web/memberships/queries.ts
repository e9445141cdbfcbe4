import { me } from '#contract/accounts.ts'
import type { Subscription } from '#contract/memberships.ts'
import { manageSubscription } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { useCall } from '../lib/queries.ts'

export function useManageSubscription() {
  const { mutateAsync } = useCall(manageSubscription, { invalidates: [me, listPets], showsFailure: true })
  return (
    { id, plan }: Subscription,
    change: { action: 'cancel' | 'restart' } | { action: 'add'; pet_id: number },
  ) => mutateAsync({ ...change, subscription: id, ...(change.action !== 'add' && { plan }) })
}
