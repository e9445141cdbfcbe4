import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { PROMISED_MINUTES, type Room } from '#contract/consultations.ts'
import { MINUTE } from '#contract/time.ts'
import { timeOrDay, waitRange } from '../lib/dates.ts'
import { now } from '../lib/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { say, spokenLocale } from '../ui/say.ts'
import { DataUsed } from './data-used.tsx'
import { Bullets } from './bullets.tsx'
import { Questions } from '../records/questions.tsx'
import { Flagged } from './flagged.tsx'
import { signsOfEmergency } from './queries.ts'
import { useAskForMail, useCancel } from './room-queries.ts'
import { nextVet } from './wait.tsx'
import { SentTo } from './sent-to.tsx'
import { isPaidAndKept, NotRefunded, PaidBack, paidIn } from './refunded.tsx'

const loadClinic = () => import('../aftercare/own-clinic-dialog.tsx')

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' })
const ENDINGS: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }
const nth = (n: number) => (spokenLocale() === 'en-GB' ? `${n}${ENDINGS[ORDINALS.select(n)]}` : String(n))

type Wait = NonNullable<Room['waiting']>

interface Props {
  room: Room
  waiting: Wait
  face: ReactNode
  onWrite: (words: string) => void
  onPhoto: (photos: File[]) => void
}

export function Waiting({ room, waiting, face, onWrite, onPhoto }: Props) {
  return (
    <div className="mx-auto stack w-full max-w-[760px] gap-4 p-4 lg:gap-5 lg:p-6">
      <Flagged flag={room.flag} room={room} />
      <Place waiting={waiting} room={room} face={face} />
      <details className="group overflow-clip rounded-card bg-coral-soft">
        <summary className="flex min-h-14 list-none items-center gap-3 px-4 py-3 leading-snug font-semi text-coral-soft-ink focus-visible:rounded-card focus-visible:-outline-offset-3 [&::-webkit-details-marker]:hidden">
          <Icon name="triangle-alert" />
          <span>{say('When not to wait for us')}</span>
          <Icon name="chevron-down" className="ml-auto transition-[rotate] group-open:rotate-180" />
        </summary>
        <WhatCantWait pet={room.pet.name} />
      </details>
      {room.pet.id !== null && (
        <Questions pet={{ id: room.pet.id, name: room.pet.name }} consultation={room.id} onPhoto={onPhoto} />
      )}
      <Card aria-labelledby="asked-first">
        <h2 id="asked-first" className="t18">
          {say('While you wait')}
        </h2>
        <div className="mt-2 -mb-2 flex min-h-15 items-center gap-3 py-2">
          <span className="min-w-0 flex-1 leading-snug">
            <span className="block font-semi">{say('Food and water')}</span>
            <span className="text-14 text-ink-soft">{say('How much, and when last')}</span>
          </span>
          <Button
            variant="soft"
            size={44}
            aria-label={say('Write: {title}', { title: say('Food and water') })}
            onClick={() => onWrite(say('Last ate and drank: '))}
          >
            {say('Write')}
          </Button>
        </div>
      </Card>
      <Card aria-labelledby="told">
        <h2 id="told" className="t18">
          {say('What you told us')}
        </h2>
        <p dir="auto" className="mt-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {room.pet_issue}
        </p>
        <p className="mt-2 text-14 text-ink-soft">
          {say('The vet reads this first. You can add to it below at any time.')}
        </p>
      </Card>
      <WaysOut room={room} />
      <DataUsed />
    </div>
  )
}

/** The signs on public pages. Outside the demo, there are none until a vet has reviewed them. */
function WhatCantWait({ pet }: { pet: string }) {
  const signs = useQuery(signsOfEmergency).data
  return (
    <div className="stack gap-3 px-4 pb-4">
      {signs && (
        <>
          <p>{say('Go to an open clinic now if you see one of these:')}</p>
          <Bullets urgent lines={signs.lines} />
        </>
      )}
      <p className="text-14">
        {!signs
          ? say('If {name} gets worse or you’re in doubt, don’t wait for us: go to an open clinic.', {
              name: pet,
            })
          : signs.reviewed
            ? say('Reviewed by {vet}. If in doubt, go.', { vet: signs.reviewed.by })
            : say('A general list that no vet has reviewed yet. If in doubt, go.')}
      </p>
    </div>
  )
}

/** Place and wait only change by whole places and minutes, so that nothing counts down. */
function Place({ waiting, room, face }: Omit<Props, 'onWrite' | 'onPhoto'>) {
  const { place, minutes, promised_by, late } = waiting
  const isNext = place === 1
  const where = isNext ? say('You’re next') : say('You’re {place} in the queue', { place: nth(place) })
  return (
    <Card aria-labelledby="place" className="stack gap-4">
      <div role="status" aria-atomic="true" className="stack gap-[6px]">
        <h2 id="place" className="t28">
          {late ? say('We’re late, and we’re sorry') : where}
        </h2>
        <p className="text-18 leading-snug">
          {late && `${where}. `}
          {minutes
            ? say('A vet should join in {wait}.', {
                // Screen readers say a new place, not every new minute.
                wait: (
                  <span aria-live="off" className="font-semi whitespace-nowrap text-amber">
                    {waitRange(minutes)}
                  </span>
                ),
              })
            : nobodySaid(waiting.next)}
        </p>
      </div>
      <ul aria-hidden="true" className="flex items-center gap-[6px]">
        <Stop icon="stethoscope" look="bg-green-soft text-green-soft-ink" />
        <Way />
        {!isNext && (
          <>
            <Stop icon="paw-print" look="bg-paper-sunk text-ink-soft" />
            <Way />
          </>
        )}
        <li className="rounded-full p-1 shadow-[0_0_0_2px_var(--color-amber)]">{face}</li>
      </ul>
      <PaidBack paid={room.paid} />
      <p className="border-t border-line pt-3 text-14 text-ink-soft">
        {late ? (
          say('We promised a vet by {time}. You keep your place, and you can cancel at any time.', {
            time: <Time at={promised_by} />,
          })
        ) : (
          <Promised room={room} minutes={minutes} by={promised_by} />
        )}
      </p>
    </Card>
  )
}

const nobodySaid = (next: string | null) =>
  next
    ? `${say('No vet is on duty right now.')} ${nextVet(next)}`
    : say('No vet is on duty right now, so we can’t say yet when one will join.')

/** What we promise, in words that never contradict the wait above it. */
function Promised({ room, minutes, by }: { room: Room; minutes: Wait['minutes']; by: string }) {
  const refunds = isPaidAndKept(room) && !room.had_vet
  const time = (
    <strong className="font-semi text-ink">
      <Time at={by} />
    </strong>
  )
  if (minutes === null)
    return refunds
      ? say('If no vet has joined by {time}, we’ll refund your {sum} automatically. You keep your place.', {
          time,
          sum: paidIn(room),
        })
      : say('We’ll tell you here when a vet is back. You keep your place.')
  const [soonest, latest] = minutes.map((wait) => now() + wait * MINUTE) as [number, number]
  if (latest > Date.parse(by))
    return (
      <>
        {soonest > Date.parse(by)
          ? say('It will probably take longer than we promise, which is by {time}.', { time })
          : say('It may take longer than we promise, which is by {time}.', { time })}{' '}
        {refunds
          ? say('Then we’ll refund your {sum} automatically and keep your place.', { sum: paidIn(room) })
          : say('You’ll keep your place.')}
      </>
    )
  return (
    <>
      {say('We promise a vet by {time}, {minutes} minutes after you asked.', {
        time,
        minutes: PROMISED_MINUTES,
      })}{' '}
      {refunds
        ? say(
            'If that doesn’t happen, we’ll tell you here, refund your {sum} automatically and keep your place.',
            { sum: paidIn(room) },
          )
        : say('If that doesn’t happen, we’ll tell you here and you’ll keep your place.')}
    </>
  )
}

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} className="tabular-nums">
    {timeOrDay(at)}
  </time>
)
const Stop = ({ icon, look }: { icon: IconName; look: string }) => (
  <li className={`grid size-10 flex-none place-items-center rounded-full ${look}`}>
    <Icon name={icon} />
  </li>
)
const Way = () => <li className="h-[2px] flex-1 rounded-[1px] bg-line" />

function WaysOut({ room }: { room: Room }) {
  const { id, pet, mails_when_taken, clinic, answered } = room
  const isPaid = isPaidAndKept(room)
  const mail = useAskForMail(id)
  const cancel = useCancel(id)
  const [asks, setAsks] = useState(false)
  const [choosing, setChoosing] = useState(false)

  return (
    <Card className="py-1!">
      <ul className="divide-y divide-line">
        <li>
          <WayOut
            icon={mails_when_taken ? 'circle-check' : 'mail'}
            title={
              mails_when_taken
                ? say('We’ll email you when a vet joins')
                : say('Leave, and get an email when a vet joins')
            }
            help={
              mails_when_taken
                ? say('You can close this page and keep your place. Press to undo this')
                : say('You keep your place in the queue')
            }
            busy={mail.isPending}
            onPress={() => mail.mutate({ id, on: !mails_when_taken })}
          />
        </li>
        <li>
          <SentTo room={room} />
        </li>
        <li>
          <WayOut
            icon="house"
            title={
              clinic
                ? say('{clinic} will get the summary', { clinic: clinic.clinic })
                : say('Send the summary to your own clinic too')
            }
            help={clinic ? say('You agreed to that. Press to change it') : say('Only if you agree')}
            onPress={() => setChoosing(true)}
          />
        </li>
        <li>
          <WayOut
            icon="x"
            title={say('Cancel')}
            help={
              !isPaid
                ? say('At no cost, until a vet joins')
                : answered
                  ? say('A vet has already answered, so this isn’t refunded automatically')
                  : say('Until a vet joins, with your {sum} refunded straight away', { sum: paidIn(room) })
            }
            onPress={() => setAsks(true)}
          />
        </li>
      </ul>
      {asks && (
        <Dialog
          small
          onClose={() => setAsks(false)}
          title={say('Cancel this consult?')}
          foot={
            <>
              <Button
                variant="danger"
                busy={cancel.isPending}
                busyLabel={say('Cancelling…')}
                onClick={() => cancel.mutate({ id }, { onSettled: () => setAsks(false) })}
              >
                {say('Cancel the consult')}
              </Button>
              <Button onClick={() => setAsks(false)}>{say('Keep waiting')}</Button>
            </>
          }
        >
          <p>
            {say(
              'You’ll leave the queue, and no vet will join {name}’s consult. You can ask again at any time.',
              {
                name: pet.name,
              },
            )}
          </p>
          {isPaid &&
            (answered ? (
              <NotRefunded />
            ) : (
              <p>{say('We’ll refund your {sum} straight away.', { sum: paidIn(room) })}</p>
            ))}
        </Dialog>
      )}
      {choosing && (
        <LateDialog load={loadClinic} title={say('Your own clinic')} onClose={() => setChoosing(false)}>
          {({ OwnClinicDialog }) => <OwnClinicDialog room={room} onClose={() => setChoosing(false)} />}
        </LateDialog>
      )}
    </Card>
  )
}

interface WayOutProps {
  icon: IconName
  title: string
  help: string
  busy?: boolean
  onPress: () => void
}

const WayOut = ({ icon, title, help, busy, onPress }: WayOutProps) => (
  <button
    type="button"
    aria-busy={busy || undefined}
    onClick={() => busy || onPress()}
    className="flex min-h-14 w-full items-center gap-3 py-2 text-left leading-snug font-medium focus-visible:-outline-offset-3"
  >
    <Icon name={icon} className="text-green" />
    <span className="min-w-0 flex-1">
      {title}
      <span className="block text-14 font-regular text-ink-soft">{help}</span>
    </span>
    <Icon name="chevron-right" className="text-ink-soft" />
  </button>
)
