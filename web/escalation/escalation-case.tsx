import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Escalation, OPEN_STATES } from '#contract/escalation.ts'
import { MINUTE } from '#contract/time.ts'
import { LEVEL_NAMES } from '#contract/urgency.ts'
import { ApiError } from '../lib/api.ts'
import { dayAndTime, time } from '../lib/dates.ts'
import { telOf } from '../lib/tel.ts'
import { PetFace } from '../pets/pet-face.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Note } from '../ui/note.tsx'
import { BackLink, ViewLoading } from '../ui/view-frame.tsx'
import { escalation, useEscalationChanges, useMoveEscalation } from './queries.ts'
import { decisiveStep } from './step-words.ts'
import { Steps } from './steps.tsx'
import { UrgencyBadge } from './urgency-badge.tsx'

/** A recorded call whose clinic's contacts are being called: its state, what the vet can do, and every step. */
export function EscalationCase({ id }: { id: number }) {
  const found = useQuery(escalation(id))
  useEscalationChanges(id)
  const back = <BackLink href="/phone">Phone consults</BackLink>
  if (!found.data) {
    const { status, code } = found.error instanceof ApiError ? found.error : new ApiError(0, '')
    const isRefused = status === 404 || code === 'CONSULT_SAY_WHY'
    return (
      <div className="stack gap-3">
        {back}
        <h1 className={isRefused ? 'sr-only' : 'text-28'}>Phone consult</h1>
        {status === 404 ? (
          <Empty scene="not-found" title="Nobody was called for this consult">
            Phone consults that waited or went to an emergency clinic have no steps.
          </Empty>
        ) : isRefused ? (
          <Empty
            scene="not-found"
            title="Another vet settled this case"
            action={<LinkButton href={`/text-chat/${id}`}>Open it and say why</LinkButton>}
          >
            It was settled more than 12 hours ago. Give a reason there, and the steps open here too.
          </Empty>
        ) : (
          <ViewLoading of={found} what="this consult" />
        )}
      </div>
    )
  }
  const { pet, clinic, urgency, recorded_at } = found.data
  return (
    <div className="stack gap-4">
      <div>
        {back}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-28 [overflow-wrap:anywhere]">
            {pet}, for {clinic.clinic}
          </h1>
          <UrgencyBadge urgency={urgency} />
          <p className="ml-auto text-14 text-ink-soft tabular-nums max-sm:ml-0">
            No. {id}, {dayAndTime(recorded_at)}
          </p>
        </div>
      </div>
      <div className="grid items-start gap-5 min-[68.75rem]:grid-cols-[minmax(0,1fr)_22rem]">
        <Calling one={found.data} isOld={found.isError} />
        <Recorded one={found.data} />
      </div>
    </div>
  )
}

interface State {
  icon: IconName
  look: string
  title: string
  more: string
}
const SOFT = {
  amber: 'bg-amber-soft text-amber-soft-ink',
  green: 'bg-green-soft text-green-soft-ink',
  coral: 'bg-coral-soft text-coral-soft-ink',
  quiet: 'bg-paper-sunk text-ink-soft',
}

const firstName = (caller: string) => caller.split(' ')[0] ?? caller

function stateOf({ state, contacts, place, due_at, steps, caller, phone }: Escalation): State {
  const who = contacts[place]?.name ?? ''
  const next = contacts[place + 1]?.name
  const waiting = `${firstName(caller)} is waiting${phone ? ` on ${phone}` : ''}.`
  if (state === 'calling')
    return {
      icon: 'hourglass',
      look: SOFT.amber,
      title: `Waiting for ${who}`,
      more: next
        ? `We call ${next} at ${time(due_at!)} if nobody has answered.`
        : `You decide at ${time(due_at!)} if nobody has answered.`,
    }
  if (state === 'taken') {
    const answer = steps.findLast(({ kind }) => kind === 'acknowledged')!
    const after = Math.max(1, Math.round((Date.parse(answer.at) - Date.parse(steps[0]!.at)) / MINUTE))
    return {
      icon: 'check',
      look: SOFT.green,
      title: `${who} is on it`,
      more: `Answered at ${time(answer.at)}, ${after === 1 ? '1 minute' : `${after} minutes`} after the first call. ${firstName(caller)} expects a call from the clinic.`,
    }
  }
  if (state === 'decided') {
    const last = steps.at(-1)!
    return {
      icon: last.kind === 'hours' ? 'clock' : 'map-pin',
      look: SOFT.quiet,
      title: last.kind === 'hours' ? 'Waits for opening hours' : 'Sent to an emergency clinic',
      more: `${last.by} decided at ${time(last.at)}. The contacts’ links have stopped working.`,
    }
  }
  const isStopped = decisiveStep(steps)?.kind === 'stopped'
  return {
    icon: 'triangle-alert',
    look: SOFT.coral,
    title: isStopped
      ? 'Calls stopped. You decide now'
      : contacts.length === 0
        ? 'Nobody can be called. You decide now'
        : 'Nobody answered. You decide now',
    more: isStopped || contacts.length === 0 ? waiting : `Every contact was called. ${waiting}`,
  }
}

function Calling({ one, isOld }: { one: Escalation; isOld: boolean }) {
  const move = useMoveEscalation()
  const [pressed, press] = useState<string>()
  const { id, step, state, contacts, place, due_at, steps, clinic, again, accepted_at } = one
  const { icon, look, title, more } = stateOf(one)
  const next = contacts[place + 1]
  const act = (to: 'next' | 'stop' | 'again' | 'emergency' | 'hours') => ({
    size: 44 as const,
    busy: move.isPending && pressed === to,
    busyLabel: 'One moment…',
    disabled: move.isPending && pressed !== to,
    onClick: () => {
      press(to)
      move.mutate({ id, step, to })
    },
  })
  return (
    <section
      aria-label="Calling the clinic"
      className="divide-y divide-line overflow-clip rounded-card border border-line bg-card"
    >
      <div className="p-5">
        <div className="grid grid-cols-[48px_minmax(0,1fr)] gap-x-[14px]">
          <span className={`grid size-12 place-items-center rounded-full ${look}`}>
            <Icon name={icon} size={24} />
          </span>
          <div role={state === 'yours' ? 'alert' : 'status'}>
            <h2 className="text-22">{title}</h2>
            <p className="text-14 text-ink-soft">{more}</p>
            {accepted_at && (
              <p className="text-14 font-semi">
                {clinic.clinic} confirmed in its portal at {time(accepted_at)} that it has the case.
              </p>
            )}
          </div>
          {OPEN_STATES.includes(state) && (
            <div className="mt-4 flex flex-wrap gap-2 max-sm:col-span-2 sm:col-start-2">
              {state === 'calling' ? (
                <>
                  {next && <Button {...act('next')}>Call {next.name} now</Button>}
                  <Button {...act('stop')}>Stop calling</Button>
                </>
              ) : (
                <>
                  <Button variant="primary" icon="map-pin" {...act('emergency')}>
                    Send to emergency clinic
                  </Button>
                  {again.length > 0 && <Button {...act('again')}>{againSays(one)}</Button>}
                  <Button {...act('hours')}>Wait for opening hours</Button>
                </>
              )}
            </div>
          )}
        </div>
        {move.error && (
          <div role="alert" className="mt-4">
            <Note
              tone="bad"
              title={
                (move.error instanceof ApiError && move.error.errors[0]) ||
                'We couldn’t reach VetChat, so nothing was changed. Try again.'
              }
            />
          </div>
        )}
        {isOld && (
          <div role="status" className="mt-4">
            <Note tone="wait" title="These steps may be out of date">
              You’re offline. We keep trying, and the calls continue without this page.
            </Note>
          </div>
        )}
      </div>
      <div className="p-5">
        <h3 className="sr-only">Steps</h3>
        <Steps
          steps={steps}
          waits={state === 'calling'}
          before={{
            at: one.recorded_at,
            title: `${LEVEL_NAMES[one.urgency]} recorded by ${one.vet_name}`,
            more: one.in_portal
              ? `${clinic.clinic} sees the case in its portal`
              : `${clinic.clinic} has no portal to see the case in`,
          }}
          next={
            state !== 'calling'
              ? undefined
              : next
                ? { at: due_at!, title: `Next: ${next.name}`, more: `Called automatically, ${next.contact}` }
                : { at: due_at!, title: 'Next: you decide', more: 'Nobody else can be called tonight' }
          }
        />
      </div>
    </section>
  )
}

/** The clinic may have changed its contacts after the first call. */
function againSays({ again, contacts }: Escalation): string {
  const isKnown = again.every(({ contact }) => contacts.some((one) => one.contact === contact))
  if (!isKnown) return `Call ${again[0]!.name}`
  return again.length === 1 ? `Call ${again[0]!.name} again` : 'Call both again'
}

const Recorded = ({
  one: { pet, about, caller, phone, problem, advice, species_id },
}: {
  one: Escalation
}) => (
  <section
    aria-label="What was recorded"
    className="divide-y divide-line overflow-clip rounded-card border border-line bg-card [&>*]:px-5 [&>*]:py-3"
  >
    <div className="flex items-center gap-3">
      <PetFace species={species_id} />
      <div className="min-w-0">
        <h2 className="text-16 font-bold [overflow-wrap:anywhere]">{pet}</h2>
        <p className="text-14 text-ink-soft first-letter:uppercase">{about}</p>
      </div>
    </div>
    <div>
      <p className="text-14 text-ink-soft">Caller</p>
      <p>
        <span className="font-semi">{caller}</span>
        {phone && (
          <>
            ,{' '}
            <a href={telOf(phone)} className="whitespace-nowrap tabular-nums">
              {phone}
            </a>
          </>
        )}
      </p>
    </div>
    <Part title="Problem" words={problem} />
    {advice && <Part title="Advice" words={advice} />}
  </section>
)

const Part = ({ title, words }: { title: string; words: string }) => (
  <div>
    <h3 className="text-14 font-regular text-ink-soft">{title}</h3>
    <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{words}</p>
  </div>
)
