import { useEffect } from 'react'
import { useLeaveWhenSessionEnds } from '../accounts/queries.ts'
import { loginPath } from '../lib/from.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { Card } from '../ui/card.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AddPetForm } from './add-pet-form.tsx'

export const meta = () => pageMeta('Add a pet', 'Add the pet of your insurance policy to your account.')

export default function AddPet() {
  const session = useSession()
  useLeaveWhenSessionEnds()
  useEffect(() => {
    if (session === 'out') location.replace(loginPath('/addpet'))
  }, [session])

  return (
    <div className="wrap-narrow stack gap-8 pt-8 pb-16 lg:pt-12 lg:pb-24">
      <div className="stack gap-2">
        <h1 className="t36">Add a pet with a policy</h1>
        <p className="lead">For a pet that is insured with our partner. The policy number is all you need.</p>
      </div>
      <Card>{session === 'in' ? <AddPetForm /> : <SkeletonRows label="Loading the form" rows={2} />}</Card>
    </div>
  )
}
