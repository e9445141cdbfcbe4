import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { sentenceOf } from '#contract/errors.ts'
import { nextVet, type QueueStatus } from '../consultations/wait.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { useLate } from '../ui/late.ts'
import { say } from '../ui/say.ts'
import { Steps } from '../ui/steps.tsx'

const tellWhenBack = () => import('./tell-when-back.tsx').then((part) => part.TellWhenBack)

/** Visitors see this before they type anything, so that nobody pays while no vet is on duty. */
export function NobodyOnDuty({ queue }: { queue: QueueStatus }) {
  const { part: TellWhenBack } = useLate(tellWhenBack)
  return (
    <Note
      id="tell-me"
      tone="wait"
      title={queue.open ? say('No vet is on duty right now') : say('Our vets are offline now')}
    >
      <p>
        {queue.open && queue.next && `${nextVet(queue.next)} `}
        {queue.open
          ? say('We’re not taking payments until a vet is back. Please call your nearest vet.')
          : say(sentenceOf('CONSULT_CLOSED_HOURS'), { hours: queue.hours ?? '' })}
      </p>
      <p>{say('This page checks for changes automatically. What you type is kept.')}</p>
      <div className="flow-root min-h-[12.5rem] sm:min-h-[9.5rem]">{TellWhenBack && <TellWhenBack />}</div>
    </Note>
  )
}

/** Hidden from people who are signed in, even at the first paint. */
export const BeenHere = ({ login }: { login: string }) => (
  <p className="in-data-in:hidden">
    {say('Been here before? {signIn}. Members pay nothing for consults.', {
      signIn: <Link href={login}>{say('Sign in')}</Link>,
    })}
  </p>
)

const steps = (pet: string, isSoon: boolean) => [
  say('You’ll join the queue straight away, with your receipt in your inbox.'),
  isSoon
    ? say('A vet joins within {minutes} minutes. Have {pet}’s weight ready.', {
        minutes: PROMISED_MINUTES,
        pet,
      })
    : say('When a vet joins, have {pet}’s weight ready.', { pet }),
  say('Afterwards, we’ll email you the vet’s plan.'),
]

/** Promises no more than the wait beside it allows. */
export const WhatIsNext = ({ pet, queue }: { pet: string; queue: QueueStatus | undefined }) => (
  <section aria-label={say('What happens next')} className="stack gap-3 text-ink-soft">
    <h2 className="t16 text-ink">{say('What happens next')}</h2>
    <Steps steps={steps(pet || say('your pet'), (queue?.minutes?.[1] ?? Infinity) <= PROMISED_MINUTES)} />
  </section>
)
