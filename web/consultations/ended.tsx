import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CLAIM_LINK_HOURS } from '#contract/accounts.ts'
import type { Room } from '#contract/consultations.ts'
import { useAskForClaimLink } from '../accounts/queries.ts'
import { planFile } from '../aftercare/queries.ts'
import { dayAndTime } from '../lib/dates.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { Steps } from '../ui/steps.tsx'
import { Bullets } from './bullets.tsx'
import { CheckIn } from '../aftercare/check-in.tsx'
import { DataUsed } from './data-used.tsx'
import { Flagged } from './flagged.tsx'
import { OwnClinicDialog } from '../aftercare/own-clinic-dialog.tsx'
import { isPaidAndKept, NotRefunded, PaidBack } from './refunded.tsx'
import { useIsPast } from '../lib/is-past.ts'
import { Rating } from '../aftercare/rating.tsx'
import { Receipts } from '../ledger/consult-receipts.tsx'

/** After the end: an emergency that the owner asks about, the vet's plan, what the owner can still do, and the conversation. */
export function Ended({ room }: { room: Room }) {
  return (
    <div className="mx-auto stack w-full max-w-[760px] gap-4 p-4 lg:gap-5 lg:p-6">
      <Flagged flag={room.asked_again?.flag} room={room} />
      <Plan room={room} />
      <CheckIn room={room} />
      <Rating room={room} />
      <Next room={room} />
      {room.paid && <Stay id={room.id} isOffered={isPaidAndKept(room)} />}
      <DataUsed />
      <h2 className="mt-2 text-center text-14 font-medium text-ink-soft">{say('The conversation')}</h2>
    </div>
  )
}

interface CancelledProps {
  room: Room
  back: { href: string; name: string }
  /** It was cancelled on this page. The button for it is gone, so the focus moves here. */
  now: boolean
}

export function Cancelled({ room, back, now }: CancelledProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (now) title.current?.focus()
  }, [now])
  return (
    <div className="mx-auto stack w-full max-w-[760px] gap-4 p-4 lg:p-6">
      <Card className="stack justify-items-start gap-3">
        <h2 ref={title} tabIndex={-1} className="t22">
          {say('You cancelled this consult')}
        </h2>
        <p>
          {room.had_vet
            ? say('If you’re still worried, you can ask again at any time.')
            : say('No vet had joined. If you’re still worried, you can ask again at any time.')}
        </p>
        {room.answered && isPaidAndKept(room) && <NotRefunded />}
        <PaidBack paid={room.paid} />
        {room.paid && <Receipts id={room.id} />}
        <LinkButton variant="primary" href={back.href}>
          {say('Back to {name}', { name: back.name })}
        </LinkButton>
      </Card>
    </div>
  )
}

/** A question longer than this is no heading. */
const LONG = 160

/** The vet's lines without bullet marks. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim())
    .filter(Boolean)

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
            {advice
              ? say('Plan for {name}, {day}', { name: pet.name, day: dayAndTime(advice.at) })
              : say('Consult for {name}, {day}', { name: pet.name, day: dayAndTime(end!) })}
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
              <h3 className="mb-2 font-semi">{say('What to do')}</h3>
              <WhatToDo lines={linesOf(advice.plan)} />
            </section>
          )}
          {advice.go_if && (
            <section className="rounded-[12px] bg-coral-soft p-4">
              <h3 className="mb-2 flex items-center gap-2 font-semi text-coral-soft-ink">
                <Icon name="triangle-alert" />
                {say('Go to a clinic at once if')}
              </h3>
              <Bullets urgent lines={linesOf(advice.go_if)} />
            </section>
          )}
          {advice.watch_for && (
            <section>
              <h3 className="mb-2 font-semi">{say('What to watch for')}</h3>
              <Bullets lines={linesOf(advice.watch_for)} />
            </section>
          )}
          <div className="flex flex-wrap gap-2">
            <PlanFile room={room} />
            <Button onClick={() => print()}>{say('Print')}</Button>
          </div>
        </>
      ) : (
        <>
          <h2 id="plan" className="t22">
            {say('This consult has ended')}
          </h2>
          <p>
            {say('The vet hasn’t written a summary yet. It will appear here, and we’ll email it to you.')}
          </p>
        </>
      )}
    </article>
  )
}

const WhatToDo = ({ lines }: { lines: string[] }) =>
  lines.length === 1 ? (
    <p dir="auto" className="[overflow-wrap:anywhere]">
      {lines[0]}
    </p>
  ) : (
    <Steps steps={lines} />
  )

function PlanFile({ room: { id } }: { room: Room }) {
  const file = useQuery(planFile(id))
  if (file.isError) return <Button onClick={() => void file.refetch()}>{say('Load the PDF again')}</Button>
  return (
    <LinkButton icon="download" href={file.data?.url ?? '#plan'} download aria-disabled={!file.data}>
      {say('Save as PDF')}
    </LinkButton>
  )
}

function Next({ room }: { room: Room }) {
  const { follow_up_until, check_in, clinic, advice, pet } = room
  const over = useIsPast(follow_up_until)
  const [choosing, setChoosing] = useState(false)
  return (
    <Card aria-labelledby="next">
      <h2 id="next" className="mb-4 t18">
        {say('What happens next')}
      </h2>
      <ul className="divide-y divide-line *:py-3 *:first:pt-0 *:last:pb-0">
        {!check_in.asked && (
          <Point icon="clock" title={say('We’ll ask how {name} is tomorrow', { name: pet.name })}>
            {say('Better, the same or worse? If it’s worse, a vet will look again at no cost.')}
          </Point>
        )}
        {follow_up_until && !over && (
          <Point
            icon="message-circle"
            title={say('Write to us until {day}', { day: dayAndTime(follow_up_until) })}
          >
            {say('Follow-up questions are free. A vet answers them here, and we email you the answer.')}
          </Point>
        )}
        {room.guest ? (
          <KeepIt room={room} />
        ) : (
          <Point icon="file-text" title={say('It’s all saved for you')}>
            {say('The plan and the conversation stay in your history.')}
          </Point>
        )}
        <Point
          icon="house"
          title={
            !clinic
              ? say('Your own clinic')
              : advice
                ? say('{clinic} has the summary', { clinic: clinic.clinic })
                : say('{clinic} will get the summary', { clinic: clinic.clinic })
          }
        >
          {clinic
            ? say('You agreed on {day}.', { day: dayAndTime(clinic.shared_at) })
            : say('They can get the summary too.')}{' '}
          <Button variant="text" size={44} className="-ml-3" onClick={() => setChoosing(true)}>
            {clinic ? say('See or change it') : say('Choose your clinic')}
          </Button>
        </Point>
        {room.paid && room.paid.amount > 0 && (
          <li>
            <PaidBack paid={room.paid} />
            <Receipts id={room.id} />
          </li>
        )}
      </ul>
      {choosing && <OwnClinicDialog room={room} onClose={() => setChoosing(false)} />}
    </Card>
  )
}

/** Guests can make an account from their consult. The link goes to the email that they gave when they bought it. */
function KeepIt({ room: { id, user, pet } }: { room: Room }) {
  const { mutate, isPending, isSuccess } = useAskForClaimLink(id)
  return (
    <Point icon="file-text" title={say('Keep it in an account')}>
      <span role="status">
        {isSuccess
          ? say('We’ve emailed {email} a link to set a password. It works once, for {hours} hours.', {
              email: user.email,
              hours: CLAIM_LINK_HOURS,
            })
          : say('This consult, {name} and your receipts stay together there.', { name: pet.name })}
      </span>{' '}
      {!isSuccess && (
        <Button variant="text" size={44} className="-ml-3" busy={isPending} onClick={() => mutate({})}>
          {say('Email me the link')}
        </Button>
      )}
    </Point>
  )
}

/** Tells people who bought one consult about membership, unless they've become members since. */
const Stay = ({ id, isOffered }: { id: number; isOffered: boolean }) => (
  <Card className="flex flex-wrap items-center justify-between gap-3 in-data-member:hidden">
    <p className="leading-snug">
      <span className="block font-semi">{say('A vet as often as you need one')}</span>
      {isOffered && (
        <span className="text-14 text-ink-soft">{say('We have an offer for you, valid for two weeks.')}</span>
      )}
    </p>
    <LinkButton href={`/thank-you?consultation=${id}`}>
      {isOffered ? say('See the offer') : say('See the membership')}
    </LinkButton>
  </Card>
)

const Point = ({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) => (
  <li className="grid grid-cols-[36px_minmax(0,1fr)] gap-3">
    <span className="grid size-9 place-items-center rounded-full bg-green-soft text-green-soft-ink">
      <Icon name={icon} />
    </span>
    <div className="leading-snug">
      <p className="font-semi">{title}</p>
      <p className="text-14 text-ink-soft [&>button]:flex">{children}</p>
    </div>
  </li>
)

export function PrintedPlan({ room }: { room: Room }) {
  const { advice, pet, vet_name, end, pet_issue } = room
  if (!advice) return null
  const parts = [
    [say('What was asked'), pet_issue],
    [say('What to do'), advice.plan],
    [say('Go to a clinic at once if'), advice.go_if],
    [say('What to watch for'), advice.watch_for],
  ].filter(([, words]) => words)
  return (
    <div
      data-printed
      className="hidden bg-[#fff] text-14 text-[#000] [--color-green:#000] [--color-ink:#000] print:block"
    >
      <section className="stack gap-5">
        <div className="flex items-center justify-between gap-4">
          <p className="flex items-center gap-2.5 text-22 font-bold">
            <img src="/logo-mark.svg" alt="" width={32} height={32} />
            {say('VetChat')}
          </p>
          <p>{dayAndTime(advice.at)}</p>
        </div>
        <div>
          <h2 className="t28">{say('Plan for {name}', { name: pet.name })}</h2>
          <p>
            {[vet_name, vetOf(room)?.registration].filter(Boolean).join(', ')}.{' '}
            {say('Consult {id}, ended {day}.', { id: room.id, day: dayAndTime(end ?? advice.at) })}
          </p>
        </div>
        <p className="text-18 font-semi whitespace-pre-wrap">{advice.summary}</p>
        {parts.map(([title, words]) => (
          <div key={title} className="break-inside-avoid">
            <h3 className="t16">{title}</h3>
            <p className="whitespace-pre-wrap">{words}</p>
          </div>
        ))}
        <p>{say('{name} was seen by text or video and was not physically examined.', { name: pet.name })}</p>
      </section>
    </div>
  )
}
