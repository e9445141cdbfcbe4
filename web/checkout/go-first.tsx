import { useQuery } from '@tanstack/react-query'
import { type Flag, readComplaint } from '#contract/urgency.ts'
import { query } from '../lib/queries.ts'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { Reviewed, Steps } from '../urgency/go-now.tsx'
import { GoThere, useOpenClinics } from '../urgency/open-clinics.tsx'

/** Tells a buyer whose own words name an emergency to go to a clinic, before they pay. Without an answer it stays out of the way. */
export function GoFirst({ issue, species }: { issue: string; species: string }) {
  const asked = { species_id: species ? Number(species) : null, query: issue }
  const { data } = useQuery({ ...query(readComplaint, asked), staleTime: Infinity })
  return data?.flag ? <Emergency flag={data.flag} /> : null
}

function Emergency({ flag }: { flag: Flag }) {
  const found = useOpenClinics(undefined)
  return (
    <section aria-labelledby="go-first" className="overflow-clip rounded-card border border-line bg-card">
      <div
        role="alert"
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 bg-coral-soft p-5 text-coral-soft-ink"
      >
        <Icon name="siren" className="mt-[2px]" />
        <div>
          <h3 id="go-first" className="t18">
            {say('Go to a clinic now')}
          </h3>
          <p className="mt-1 text-ink">
            {say('You wrote “{words}”.', { words: flag.told! })} {flag.reason}
          </p>
        </div>
      </div>
      <div className="stack gap-4 p-5">
        <GoThere first={found.clinics?.[0]} />
        <h4 className="font-semi">{say('On the way')}</h4>
        <Steps steps={flag.advice} />
        <p>
          {say('A vet can help you until you get there, by text or video. It doesn’t replace the clinic.')}
        </p>
        <Reviewed review={flag.reviewed} />
      </div>
    </section>
  )
}
