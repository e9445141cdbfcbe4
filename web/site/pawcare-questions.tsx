import { useSite } from '../lib/site.ts'
import { INCIDENTS } from '#contract/claims.ts'
import { usePrices } from '../shell/page-parts.tsx'
import { Answers, type Asked } from './answers.tsx'

const INCIDENT_NAMES = Object.values(INCIDENTS).map((said) => said.toLowerCase())

/** PawCare's facts as short questions, for every page about the cover. */
export function PawCareQuestions({ open = false }: { open?: boolean }) {
  const { cover, excess, example, examplePaid, incidents, waitHours } = usePrices()
  const asked: Asked = [
    [
      'What is covered?',
      `Seven things: ${INCIDENT_NAMES.slice(0, -1).join(', ')} and ${INCIDENT_NAMES.at(-1)}.`,
      `For each pet, up to ${cover} a year and at most ${incidents} incidents in a policy period.`,
    ],
    [
      'What do I pay myself?',
      `${excess} for each incident. An example: a bill of ${example} less ${excess} pays you ${examplePaid}.`,
    ],
    [
      'When does cover begin and end?',
      `${waitHours} hours after a pet is registered, for each new pet. There is no minimum period.`,
      'It ends at the same moment as the membership.',
    ],
    [
      'Which pets, and which owners?',
      'Up to five cats or dogs that are over 8 weeks old.',
      'You must be over 18 and have an active membership.',
    ],
    [
      'How do I claim?',
      'Pay the vet’s bill first, then send the invoice from My account. There you can follow what has been received and decided.',
    ],
  ]
  return <Answers name="pawcare" asked={asked} open={open} />
}

export function Insurer() {
  const { wording } = useSite()
  return (
    <p className="max-w-measure text-14 text-ink-soft">
      PawCare cover comes from a third-party insurer; VetChat is its authorised representative. This page is a
      summary.
      {wording && (
        <>
          {' '}
          <a href={wording} rel="noopener">
            Read the policy wording
          </a>{' '}
          before you decide.
        </>
      )}
    </p>
  )
}
