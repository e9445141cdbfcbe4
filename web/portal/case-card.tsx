import { useEffect, useRef, useState } from 'react'
import type { ClinicConsultation } from '#contract/portal.ts'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { Steps } from '../escalation/steps.tsx'
import { UrgencyBadge } from '../escalation/urgency-badge.tsx'
import { nameOf } from '../consultations/case-words.ts'
import { timeOrDay } from '../lib/dates.ts'
import { telOf } from '../lib/tel.ts'
import { PetFace } from '../pets/pet-face.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { adviceOf, firstOf, isAccepted, kindOf, takenAs } from './case-words.ts'
import { useAccept, wentWrong } from './queries.ts'

type Picture = ClinicConsultation['pictures'][number]

/** One case: who it is, what to do first, and Confirm, whose result replaces the button. */
export function CaseCard({
  one,
  isFirst,
  onPicture,
}: {
  one: ClinicConsultation
  /** The first case that waits for an answer is open. */
  isFirst: boolean
  onPicture: (picture: Picture) => void
}) {
  const { pet, mobile, vet_name, start, urgency, portalDetail, accepted_by } = one
  const accept = useAccept()
  const answer = useRef<HTMLParagraphElement>(null)
  const held = useRef(false)
  const accepted = isAccepted(one)
  // A case that somebody may be reading doesn't close when a colleague confirms it or a newer case arrives.
  const [wasFirst, setWasFirst] = useState(isFirst)
  if (isFirst && !wasFirst) setWasFirst(true)
  const [icon, words] = firstOf(one)
  const kind = kindOf(one)
  // The button that had the focus has disappeared, even if a colleague confirmed the case.
  useEffect(() => {
    if (accepted && held.current) answer.current?.focus()
  }, [accepted])

  return (
    <li className="grid grid-cols-[48px_minmax(0,1fr)] items-start gap-x-3 gap-y-1 rounded-card border border-line bg-card p-4 md:grid-cols-[48px_minmax(0,1fr)_auto] md:gap-x-4 md:p-5">
      <PetFace species={one.pet.species_id} />
      <div className="min-w-0">
        <h2 className="t18 flex flex-wrap items-center gap-x-[6px]">
          {pet.name} <span className="text-16 font-regular text-ink-soft">{kind}</span>
          {urgency && <UrgencyBadge urgency={urgency} />}
        </h2>
        <p className="text-14 text-ink-soft">
          {nameOf(one)}
          {mobile && (
            <>
              ,{' '}
              <a href={telOf(mobile)} className="whitespace-nowrap">
                {mobile}
              </a>
            </>
          )}
          . {takenAs(one)} {timeOrDay(start)}
          {vet_name && ` by ${vet_name}`}
        </p>
        <p className="mt-2 inline-flex items-start gap-2 font-semi">
          <Icon name={icon} className="mt-[2px]" />
          {words}
        </p>
      </div>
      <div className="grid gap-2 max-md:col-span-2 max-md:mt-2 md:justify-items-end">
        {accepted ? (
          <p ref={answer} tabIndex={-1} className="grid gap-1 outline-none md:justify-items-end">
            <Badge tone="green" icon="check" className="justify-self-start md:justify-self-end">
              Accepted
            </Badge>
            <span className="text-14 text-ink-soft md:max-w-56 md:text-right">
              {accepted_by},{' '}
              <span className="whitespace-nowrap">{timeOrDay(portalDetail.clinic_accepted_at!)}</span>
            </span>
          </p>
        ) : (
          <>
            <Badge tone="amber" className="justify-self-start md:justify-self-end">
              Notified {timeOrDay(portalDetail.clinic_notified_at!)}
            </Badge>
            <Button
              variant="primary"
              size={44}
              className="max-md:w-full"
              aria-label={`Confirm ${pet.name}`}
              busy={accept.isPending}
              busyLabel="Confirming…"
              onFocus={() => void (held.current = true)}
              onBlur={() => void (held.current = false)}
              onClick={() => accept.mutate({ id: one.id })}
            >
              Confirm
            </Button>
            <p role="alert" className="text-14 text-red empty:hidden md:max-w-56 md:text-right">
              {accept.isError && wentWrong(accept.error)}
            </p>
          </>
        )}
      </div>
      <details
        open={wasFirst && !accept.isSuccess}
        className="group col-span-2 mt-2 border-t border-line pt-1 md:col-start-2 md:mt-3"
      >
        <summary className="inline-flex min-h-11 list-none items-center gap-1 text-14 font-semi text-green [&::-webkit-details-marker]:hidden">
          <Icon
            name="chevron-right"
            size={16}
            className="transition-[rotate] group-open:rotate-90 motion-reduce:transition-none"
          />
          {one.type === CONSULT_TYPES.phone ? 'What was asked and advised' : 'What was found and advised'}
        </summary>
        <Found one={one} onPicture={onPicture} />
      </details>
    </li>
  )
}

const Part = ({ title, words }: { title: string; words: string | undefined }) =>
  words ? (
    <div>
      <h3 className="text-14 font-semi text-ink-soft">{title}</h3>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{words}</p>
    </div>
  ) : null

function Found({ one, onPicture }: { one: ClinicConsultation; onPicture: (picture: Picture) => void }) {
  const { pet_issue, advice, pictures, steps } = one
  const { found, told } = adviceOf(one)
  return (
    <div className="stack gap-4 pt-1 pb-2">
      <div className="grid gap-4 md:grid-cols-2 md:gap-x-6">
        <div className="stack content-start gap-4">
          <Part title="What the owner asked" words={pet_issue} />
          <Part title="What was found" words={found} />
        </div>
        <div className="stack content-start gap-4">
          <Part title="What the owner was told" words={told} />
          <Part title="Go to a clinic at once if" words={advice?.go_if} />
          <Part title="Watch for" words={advice?.watch_for} />
        </div>
      </div>
      {steps.length > 0 && (
        <div>
          <h3 className="mb-2 text-14 font-semi text-ink-soft">Calls to your contacts</h3>
          <Steps steps={steps} />
        </div>
      )}
      {pictures.length > 0 && (
        <div>
          <h3 className="mb-2 text-14 font-semi text-ink-soft">Shared by the owner</h3>
          <ul className="flex flex-wrap gap-1">
            {pictures.map((picture, at) => (
              <li key={picture.url}>
                <button
                  type="button"
                  aria-label={`Open picture ${at + 1}`}
                  className="block overflow-hidden rounded-small bg-paper-sunk"
                  onClick={() => onPicture(picture)}
                >
                  <img
                    src={picture.url}
                    alt=""
                    width={160}
                    height={120}
                    loading="lazy"
                    className="h-30 w-40 object-cover"
                  />
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
