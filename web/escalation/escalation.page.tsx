import { useParams } from 'react-router'
import { pageMeta } from '../lib/meta.ts'
import { PhoneFrame } from './phone-frame.tsx'

export const meta = () => pageMeta('Phone consult', 'Who was called about a phone consult, and who has it.')

const load = () => import('./escalation-case.tsx')

/** Where a vet follows the calls to a clinic's contacts. */
export default function EscalationPage() {
  const { id } = useParams()
  return (
    <PhoneFrame load={load}>
      {({ EscalationCase }) => <EscalationCase key={id} id={Number(id) || 0} />}
    </PhoneFrame>
  )
}
