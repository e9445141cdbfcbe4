import { LEVEL_NAMES } from '#contract/urgency.ts'
import type { ClinicConsultation } from '#contract/portal.ts'
import { nameOf } from '../consultations/case-words.ts'
import { dayAndTime } from '../lib/dates.ts'
import { stepsInWords } from '../escalation/step-words.ts'
import { adviceOf, firstOf, isAccepted, kindOf, takenAs } from './case-words.ts'

/** Printed instead of the page: the night on one sheet, for the treatment room's wall. */
export const Handover = ({
  clinic,
  title,
  printed,
  cases,
}: {
  clinic: string
  title: string
  printed: string
  cases: ClinicConsultation[]
}) => (
  <div
    data-printed
    className="hidden bg-[#fff] text-[9.5pt] leading-[1.35] text-[#000] [--color-green:#000] [--color-ink:#000] print:block"
  >
    <div className="mb-2 flex items-baseline justify-between gap-4 border-b pb-1">
      <h2 className="text-[14pt] font-bold">{[clinic, title].filter(Boolean).join('. ')}</h2>
      <p>Printed {dayAndTime(printed)}</p>
    </div>
    <ul className="stack gap-2">
      {cases.map((one) => {
        const { inShort, told } = adviceOf(one)
        return (
          <li key={one.id} className="break-inside-avoid border-b border-[#999] pb-2">
            <p className="flex justify-between gap-4">
              <span>
                <span className="text-[11pt] font-bold">{one.pet.name}</span> {kindOf(one)}.{' '}
                {[nameOf(one), one.mobile].filter(Boolean).join(', ')}
              </span>
              <span className="whitespace-nowrap">{isAccepted(one) ? 'Accepted' : '☐ To confirm'}</span>
            </p>
            <p className="font-bold">
              {one.urgency && `${LEVEL_NAMES[one.urgency]}. `}
              {firstOf(one)[1]}
            </p>
            <p>{inShort}</p>
            {told && <p>Told: {told}</p>}
            {one.advice?.go_if && <p>Go at once if: {one.advice.go_if}</p>}
            {one.steps.length > 0 && <p>Contacts: {stepsInWords(one.steps)}</p>}
            <p>
              {takenAs(one)} {dayAndTime(one.start)}
              {one.vet_name && ` by ${one.vet_name}`}. Consult {one.id}
            </p>
          </li>
        )
      })}
    </ul>
  </div>
)
