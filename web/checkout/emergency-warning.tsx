import { useQuery } from '@tanstack/react-query'
import * as lengths from '#contract/lengths.ts'
import { type Flag, readComplaint } from '#contract/urgency.ts'
import { query } from '../lib/queries.ts'
import { say } from '../ui/say.ts'
import { CannotWait } from '../urgency/cannot-wait.tsx'
import { Steps } from '../ui/steps.tsx'
import { GoThere, useOpenClinics } from '../urgency/open-clinics.tsx'

/** Tells a buyer whose own words name an emergency to go to a clinic, before they pay. Without an answer it stays out of the way. */
export function EmergencyWarning({ issue, species }: { issue: string; species: string }) {
  // A longer text is refused at the press, but what it begins with may be an emergency.
  const asked = { species_id: species ? Number(species) : null, query: issue.slice(0, lengths.issue) }
  const { data } = useQuery({ ...query(readComplaint, asked), staleTime: Infinity })
  return data?.flag ? <Emergency flag={data.flag} /> : null
}

function Emergency({ flag }: { flag: Flag }) {
  const found = useOpenClinics(undefined)
  return (
    <CannotWait
      flag={flag}
      role="alert"
      icon="siren"
      heading="h3"
      title={say('Go to a clinic now')}
      why={
        <>
          {say('You wrote “{words}”.', { words: flag.told! })} {flag.reason}
        </>
      }
    >
      <GoThere first={found.clinics?.[0]} />
      <h4 className="font-semi">{say('On the way')}</h4>
      <Steps steps={flag.advice} />
      <p>{say('A vet can help you until you get there, by text or video. It doesn’t replace the clinic.')}</p>
    </CannotWait>
  )
}
