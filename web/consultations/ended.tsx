import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { Room } from '#contract/consultations.ts'
import { planFile, useRate } from '../chat/queries.ts'
import { refusalOf } from '../lib/for-form.ts'
import { dayAndTime } from '../lib/dates.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { CheckIn } from './check-in.tsx'
import { DataUsed } from './data-used.tsx'
import { OwnClinicDialog } from './own-clinic.tsx'
import { PaidBack } from './paid.tsx'
import { useIsPast } from './past.tsx'

/** After the end: the vet's plan first, then what one can still do, then what was said. */
export function Ended({ room }: { room: Room }) {
  return (
    <div className="mx-auto stack w-full max-w-[760px] gap-4 p-4 lg:gap-5 lg:p-6">
      <Plan room={room} />
      <CheckIn room={room} />
      <Rating room={room} />
      <Next room={room} />
      <DataUsed />
      <h2 className="mt-2 text-center text-14 font-medium text-ink-soft">The conversation</h2>
    </div>
  )
}

export const Cancelled = ({ room, back }: { room: Room; back: { href: string; name: string } }) => (
  <div className="mx-auto stack w-full max-w-[760px] gap-4 p-4 lg:p-6">
    <Card className="stack justify-items-start gap-3">
      <h2 className="t22">You cancelled this consult</h2>
      <p>No vet joined. If you are still worried, ask again at any time.</p>
      <PaidBack paid={room.paid} />
      <LinkButton variant="primary" href={back.href}>
        {back.name}
      </LinkButton>
    </Card>
  </div>
)

/** More than a heading bears. */
const LONG = 160

/** Lines as the vet wrote them, without the marks they may have put before each. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim())
    .filter(Boolean)

export const Bullets = ({ lines, urgent }: { lines: string[]; urgent?: boolean }) => (
  <ul className="stack gap-[6px]">
    {lines.map((line) => (
      <li
        key={line}
        dir="auto"
        className={`relative ps-5 leading-[1.45] [overflow-wrap:anywhere] before:absolute before:start-1 before:top-[0.58em] before:size-[7px] before:rounded-full ${urgent ? 'before:bg-coral' : 'before:bg-green'}`}
      >
        {line}
      </li>
    ))}
  </ul>
)

const Steps = ({ lines }: { lines: string[] }) =>
  lines.length === 1 ? (
    <p dir="auto" className="[overflow-wrap:anywhere]">
      {lines[0]}
    </p>
  ) : (
    <ol className="stack gap-3">
      {lines.map((line, at) => (
        <li key={line} className="grid grid-cols-[28px_minmax(0,1fr)] gap-3">
          <span
            aria-hidden="true"
            className="grid size-7 place-items-center rounded-full bg-green-soft text-14 font-semi text-green-soft-ink"
          >
            {at + 1}
          </span>
          <span dir="auto" className="[overflow-wrap:anywhere]">
            {line}
          </span>
        </li>
      ))}
    </ol>
  )

const vetOf = ({ people, vet_id }: Room) => people.find(({ id }) => id === vet_id)

function Plan({ room }: { room: Room }) {
  const { advice, pet, vet_name, end } = room
  const registration = vetOf(room)?.registration
  return (
    <article
      aria-labelledby="plan"
      className="stack gap-5 rounded-card border border-line bg-card p-5 lg:p-6"
    >
      <header className="flex items-center gap-3">
        {vet_name && <VetAvatar name={vet_name} size={48} />}
        <div className="min-w-0 leading-snug">
          <p className="text-14 text-ink-soft">
            {advice ? 'Plan' : 'Consult'} for {pet.name}, {dayAndTime(advice?.at ?? end!)}
          </p>
          <p className="font-semi">
            {vet_name}{' '}
            {registration && <span className="text-14 font-regular text-ink-soft">{registration}</span>}
          </p>
        </div>
      </header>
      {advice ? (
        <>
          <h2
            id="plan"
            dir="auto"
            className={`leading-snug font-semi [overflow-wrap:anywhere] whitespace-pre-line ${advice.summary.length > LONG ? 'text-18' : 'text-22'}`}
          >
            {advice.summary}
          </h2>
          {advice.plan && (
            <section>
              <h3 className="mb-2 font-semi">What to do</h3>
              <Steps lines={linesOf(advice.plan)} />
            </section>
          )}
          {advice.go_if && (
            <section className="rounded-[12px] bg-coral-soft p-4">
              <h3 className="mb-2 flex items-center gap-2 font-semi text-coral-soft-ink">
                <Icon name="triangle-alert" />
                Go to a clinic at once if
              </h3>
              <Bullets urgent lines={linesOf(advice.go_if)} />
            </section>
          )}
          {advice.watch_for && (
            <section>
              <h3 className="mb-2 font-semi">What to watch for</h3>
              <Bullets lines={linesOf(advice.watch_for)} />
            </section>
          )}
          <div className="flex flex-wrap gap-2">
            <PlanFile room={room} />
            <Button onClick={() => print()}>Print</Button>
          </div>
        </>
      ) : (
        <>
          <h2 id="plan" className="t22">
            This consult has ended
          </h2>
          <p>The vet has not written a summary yet. It will stand here, and we email it to you.</p>
        </>
      )}
    </article>
  )
}

/** The plan as a file to keep or to send on. */
function PlanFile({ room: { id } }: { room: Room }) {
  const file = useQuery(planFile(id))
  if (file.isError) return <Button onClick={() => void file.refetch()}>Load the PDF again</Button>
  return (
    <LinkButton icon="download" href={file.data?.url ?? '#plan'} download aria-disabled={!file.data}>
      Save as PDF
    </LinkButton>
  )
}

const STARS = [1, 2, 3, 4, 5]

function Rating({ room: { id, rating } }: { room: Room }) {
  const name = useId()
  const rate = useRate(id)
  const [stars, setStars] = useState(rating?.stars ?? 0)
  const [words, setWords] = useState(rating?.words ?? '')
  const [trouble, setTrouble] = useState('')
  const changed = stars !== (rating?.stars ?? 0) || words !== (rating?.words ?? '')
  const send = () =>
    rate.mutate(
      { id, stars, words },
      {
        onSuccess: () => setTrouble(''),
        onError: (error) => {
          const refusal = refusalOf(error, 'We could not reach VetChat. Your rating is still here.')
          setTrouble((refusal as { errors?: string[] }).errors?.join(' ') ?? 'Please try again.')
        },
      },
    )
  return (
    <Card aria-labelledby={`${name}-rate`} className="stack justify-items-start gap-2">
      <h2 id={`${name}-rate`} className="t18">
        How was this consult?
      </h2>
      <fieldset>
        <legend className="sr-only">Stars, 1 to 5</legend>
        <div className="-ml-2 flex gap-[2px]">
          {STARS.map((n) => (
            <label
              key={n}
              className="relative grid size-12 place-items-center rounded-full has-focus-visible:outline-3 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name={name}
                value={n}
                checked={stars === n}
                onChange={() => setStars(n)}
                className="absolute inset-0 size-full opacity-0"
              />
              <span className="sr-only">{n === 1 ? '1 star' : `${n} stars`}</span>
              <Star full={n <= stars} />
            </label>
          ))}
        </div>
      </fieldset>
      {stars > 0 && (
        <>
          <div className="w-full">
            <Textarea
              label="A word for us"
              optional
              rows={2}
              maxLength={1000}
              value={words}
              onChange={(event) => setWords(event.target.value)}
            />
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              size={44}
              busy={rate.isPending}
              busyLabel="Sending…"
              aria-disabled={!changed}
              onClick={() => changed && send()}
            >
              {rating ? 'Change rating' : 'Send rating'}
            </Button>
            <p role="status" className={`text-14 ${trouble ? 'text-red' : 'text-ink-soft'}`}>
              {trouble || (rating && !changed && 'Thank you. We read every one.')}
            </p>
          </div>
        </>
      )}
    </Card>
  )
}

const Star = ({ full }: { full: boolean }) => (
  <svg
    viewBox="0 0 24 24"
    width={30}
    height={30}
    aria-hidden="true"
    fill={full ? 'currentColor' : 'none'}
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinejoin="round"
    className={full ? 'text-amber' : 'text-ink-soft'}
  >
    <path d="M12 3l2.7 5.6 6.1.9-4.4 4.3 1 6.1-5.4-2.9-5.4 2.9 1-6.1-4.4-4.3 6.1-.9z" />
  </svg>
)

function Next({ room }: { room: Room }) {
  const { follow_up_until, check_in, clinic, advice, pet } = room
  const over = useIsPast(follow_up_until)
  const [choosing, setChoosing] = useState(false)
  return (
    <Card aria-labelledby="next">
      <h2 id="next" className="mb-4 t18">
        What happens next
      </h2>
      <ul className="divide-y divide-line *:py-3 *:first:pt-0 *:last:pb-0">
        {!check_in.asked && (
          <Point icon="clock" title={`We ask after ${pet.name} tomorrow`}>
            Better, the same or worse. If it is worse, a vet looks again at no cost.
          </Point>
        )}
        {follow_up_until && !over && (
          <Point icon="message-circle" title={`Write to us until ${dayAndTime(follow_up_until)}`}>
            Follow-up questions are free, and a vet answers them here.
          </Point>
        )}
        <Point icon="file-text" title="It is all kept for you">
          The plan and what was said stay in your history.
        </Point>
        {clinic ? (
          <Point
            icon="house"
            title={advice ? `${clinic.clinic} has the summary` : `${clinic.clinic} gets the summary`}
          >
            You agreed on {dayAndTime(clinic.shared_at)}.
          </Point>
        ) : (
          !advice && (
            <Point icon="house" title="Your own clinic">
              They can get the summary too.{' '}
              <Button variant="text" size={44} onClick={() => setChoosing(true)}>
                Choose your clinic
              </Button>
            </Point>
          )
        )}
        {room.paid?.why && (
          <li>
            <PaidBack paid={room.paid} />
          </li>
        )}
      </ul>
      {choosing && <OwnClinicDialog room={room} onClose={() => setChoosing(false)} />}
    </Card>
  )
}

const Point = ({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) => (
  <li className="grid grid-cols-[36px_minmax(0,1fr)] gap-3">
    <span className="grid size-9 place-items-center rounded-full bg-green-soft text-green-soft-ink">
      <Icon name={icon} />
    </span>
    <div className="leading-snug">
      <p className="font-semi">{title}</p>
      <p className="text-14 text-ink-soft">{children}</p>
    </div>
  </li>
)

/** One sheet, black on white, to take along to a clinic. */
export function PrintedPlan({ room }: { room: Room }) {
  const { advice, pet, vet_name, end, pet_issue } = room
  if (!advice) return null
  const parts = [
    ['What was asked', pet_issue],
    ['What to do', advice.plan],
    ['Go to a clinic at once if', advice.go_if],
    ['What to watch for', advice.watch_for],
  ].filter(([, words]) => words)
  return (
    <div
      data-printed
      className="hidden bg-[#fff] text-14 text-[#000] [--green:#000] [--ink:#000] print:block"
    >
      <section className="stack gap-5">
        <div className="flex items-center justify-between gap-4">
          <p className="flex items-center gap-2.5 text-22 font-bold">
            <img src="/logo-mark.svg" alt="" width={32} height={32} />
            VetChat
          </p>
          <p>{dayAndTime(advice.at)}</p>
        </div>
        <div>
          <h2 className="t28">Plan for {pet.name}</h2>
          <p>
            {vet_name}
            {vetOf(room)?.registration && `, ${vetOf(room)!.registration}`}. Consult {room.id}, ended{' '}
            {dayAndTime(end ?? advice.at)}.
          </p>
        </div>
        <p className="text-18 font-semi whitespace-pre-wrap">{advice.summary}</p>
        {parts.map(([title, words]) => (
          <div key={title} className="break-inside-avoid">
            <h3 className="t16">{title}</h3>
            <p className="whitespace-pre-wrap">{words}</p>
          </div>
        ))}
        <p>{pet.name} was seen by text or video and not examined by hand.</p>
      </section>
    </div>
  )
}
