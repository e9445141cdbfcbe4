import { useSignedIn } from '../accounts/queries.ts'
import { pageMeta } from '../lib/meta.ts'
import { Card } from '../ui/card.tsx'
import { useLate } from '../ui/late.ts'
import { say } from '../ui/say.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'

export const meta = () =>
  pageMeta(say('Add a pet'), say('Add the pet on your insurance policy to your account.'))

/** Forms are large, so they load while the session is checked. */
const load = () => import('./add-pet-form.tsx')

export default function AddPet() {
  const signedIn = useSignedIn()
  const late = useLate(load)

  return (
    <div className="wrap-narrow stack gap-8 pt-8 pb-16 lg:pt-12 lg:pb-24">
      <div className="stack gap-2">
        <h1 className="t36">{say('Add a pet with a policy')}</h1>
        <p className="lead">
          {say('For a pet insured with our partner. The policy number is all you need.')}
        </p>
      </div>
      <Card>
        {signedIn && late.part ? (
          <late.part.AddPetForm />
        ) : (
          <RowsLoading of={late} what={say('this form')} rows={2} />
        )}
      </Card>
    </div>
  )
}
