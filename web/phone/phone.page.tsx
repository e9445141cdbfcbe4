import { USER_TYPES } from '#contract/accounts.ts'
import { PhoneFrame } from '../escalation/phone-frame.tsx'
import { pageMeta } from '../lib/meta.ts'

export const meta = () => pageMeta('Phone consult', 'Record a phone consult for a clinic.')

const load = () => import('./phone-form.tsx')

/** Where vets record what they advised on the phone. */
export default function Phone() {
  return (
    <PhoneFrame load={load}>
      {({ PhoneConsult }, { type }) => <PhoneConsult asksVet={type === USER_TYPES.admin} />}
    </PhoneFrame>
  )
}
