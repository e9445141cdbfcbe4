import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useParams } from 'react-router'
import type { ContactCall } from '#contract/escalation.ts'
import { ApiError } from '../lib/api.ts'
import { isToday, time, timeOrDay } from '../lib/dates.ts'
import { pageMeta } from '../lib/meta.ts'
import { telOf } from '../lib/tel.ts'
import { Logo } from '../shell/logo.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { contactCall, useAnswer } from './queries.ts'
import { UrgencyBadge } from './urgency-badge.tsx'

/** The address is secret, so no other site may learn it. */
export const meta = () => [
  ...pageMeta('Can you take this case?', 'A vet asks the clinic’s contact.'),
  { name: 'referrer', content: 'no-referrer' },
]

const CODE = /^[0-9a-z]{20,60}$/

/** Where a clinic's contact answers a vet at night. Opening the page changes nothing; only a press does. */
export default function OnCall() {
  const { code = '' } = useParams()
  const isCode = CODE.test(code)
  const found = useQuery({ ...contactCall(code), enabled: isCode })
  if (found.data) return <Answering code={code} call={found.data} loadedAt={found.dataUpdatedAt} />
  const isUnknown =
    !isCode || (found.error instanceof ApiError && found.error.status < 500 && found.error.status > 0)
  return (
    <Frame>
      <div className="stack gap-4">
        {isUnknown ? (
          <Head icon="clock" title="We don’t know this link">
            Open it again from the SMS or the email, or phone VetChat.
          </Head>
        ) : found.isError ? (
          <>
            <Head icon="wifi-off" title="We couldn’t load the case">
              Check your connection. The page tries again automatically.
            </Head>
            <Button onClick={() => void found.refetch()}>Try again</Button>
          </>
        ) : (
          <>
            <h1 className="t28">One moment</h1>
            <SkeletonRows label="Loading the case" />
          </>
        )}
      </div>
    </Frame>
  )
}

const Frame = ({ clinic, foot, children }: { clinic?: string; foot?: ReactNode; children: ReactNode }) => (
  <div className="mx-auto grid min-h-dvh w-full max-w-[480px] grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr]">
    <header className="flex min-h-16 flex-wrap items-center gap-x-3 px-5 py-2">
      <Logo />
      {clinic && <span className="ml-auto max-w-full text-14 text-ink-soft">{clinic}</span>}
    </header>
    <main id="main" tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] grid-rows-[1fr_auto]">
      <div className="stack content-start gap-5 px-5 pt-2 pb-6">{children}</div>
      {foot && (
        <div
          data-foot
          className="sticky bottom-0 grid gap-1 border-t border-line bg-paper px-5 pt-3 pb-[max(16px,env(safe-area-inset-bottom))]"
        >
          {foot}
        </div>
      )}
    </main>
  </div>
)

/** The heading takes the focus after a press. */
function Head({
  icon,
  look = 'bg-paper-sunk text-ink-soft',
  title,
  focus,
  children,
}: {
  icon: IconName
  look?: string
  title: string
  focus?: boolean
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focus) heading.current?.focus()
  }, [focus])
  return (
    <div className="grid justify-items-start gap-3">
      <span className={`grid size-14 place-items-center rounded-full ${look}`}>
        <Icon name={icon} size={24} />
      </span>
      <h1 ref={heading} tabIndex={-1} className="t28">
        {title}
      </h1>
      <p className="text-ink-soft">{children}</p>
    </div>
  )
}

function Answering({ code, call, loadedAt }: { code: string; call: ContactCall; loadedAt: number }) {
  const answer = useAnswer()
  const { mutate, variables, error } = answer
  const waits = error instanceof ApiError && error.status === 0
  // The page reloads automatically. Once it gets through, the answer is sent again.
  const again = useEffectEvent(() => {
    if (waits && variables) mutate(variables)
  })
  useEffect(() => again(), [loadedAt])
  const pressed = answer.data !== undefined
  const { standing, taken, decided_at, case: shown } = call
  if (standing === 'over' || !shown)
    return (
      <Over
        call={call}
        pressed={pressed}
        gaveBack={pressed && variables?.answer === 'no' && !taken && !decided_at}
      />
    )
  const asked: Asked = {
    call,
    shown,
    pressed,
    press: (which) => ({
      busy: answer.isPending && variables?.answer === which,
      busyLabel: 'One moment…',
      onClick: () => mutate({ code, answer: which }),
    }),
    troubled: (
      <p role="alert" className="text-center text-14 text-red empty:hidden">
        {waits
          ? 'Not sent yet. It goes out when you’re back online.'
          : answer.isError && 'We couldn’t send your answer. Press again.'}
      </p>
    ),
  }
  if (standing === 'on it') return <OnIt {...asked} />
  return standing === 'declined' ? <Declined {...asked} /> : <Open {...asked} />
}

/** What a contact who may still answer sees. */
interface Asked {
  call: ContactCall
  shown: NonNullable<ContactCall['case']>
  /** They have just answered. */
  pressed: boolean
  press: (which: 'yes' | 'no') => { busy: boolean; busyLabel: string; onClick: () => void }
  troubled: ReactNode
}

function Over({
  call: { clinic, in_portal, name, next, taken, decided_at, called_at },
  pressed,
  gaveBack,
}: {
  call: ContactCall
  pressed: boolean
  gaveBack: boolean
}) {
  const isMine = taken?.name === name
  const isNobodys = !taken && !decided_at && !gaveBack
  return (
    <Frame
      clinic={clinic}
      foot={
        in_portal && (
          <LinkButton wide size={56} href="/clinic-portal">
            Sign in to the clinic portal
          </LinkButton>
        )
      }
    >
      <Head
        icon={gaveBack ? 'arrow-right-left' : isMine ? 'check' : 'clock'}
        title={
          gaveBack
            ? 'We’ve told the vet'
            : taken && !isMine
              ? `${taken.name} has the case`
              : 'This link has expired'
        }
        focus={pressed}
      >
        We asked you {isToday(called_at) ? 'at' : 'on'} {timeOrDay(called_at)}.{' '}
        {taken
          ? isMine
            ? `You took the case at ${time(taken.at)}.`
            : `${taken.name} took the case at ${time(taken.at)}.`
          : decided_at
            ? `The vet decided at ${time(decided_at)} without you.`
            : gaveBack
              ? next
                ? `We’re calling ${next} now.`
                : 'Nobody else is on tonight’s list, so the vet decides now.'
              : 'Nobody has the case yet.'}
      </Head>
      <p>
        {isMine
          ? 'The case is still yours. Phone VetChat if you can’t see to it.'
          : isNobodys
            ? 'Phone VetChat if you can take it.'
            : 'You don’t have to do anything.'}
        {in_portal && ' The case is in your clinic’s portal, with every step and its time.'}
      </p>
    </Frame>
  )
}

function Facts({ shown, called_at }: Pick<Asked, 'shown'> & Pick<ContactCall, 'called_at'>) {
  const { pet, about, problem, advice, vet_name } = shown
  return (
    <dl className="grid gap-[10px]">
      <Fact name="Pet">
        <b className="font-semi">{pet}</b>
        {about && `, ${about}`}
      </Fact>
      <Fact name="Problem">{problem}</Fact>
      {advice && <Fact name="Told so far">{advice}</Fact>}
      <Fact name="From">
        {vet_name}, VetChat, {timeOrDay(called_at)}
      </Fact>
    </dl>
  )
}

function OnIt({ call, shown, pressed, press, troubled }: Asked) {
  const { pet, phone, vet_name } = shown
  return (
    <Frame
      clinic={call.clinic}
      foot={
        <>
          {phone && (
            <LinkButton variant="primary" size={56} wide icon="phone" href={telOf(phone)}>
              Call {phone}
            </LinkButton>
          )}
          <Button variant="text" wide {...press('no')}>
            I can’t any more
          </Button>
          {troubled}
        </>
      }
    >
      <Head
        icon="check"
        look="bg-green-soft text-green-soft-ink"
        title={`You have ${pet}’s case`}
        focus={pressed}
      >
        We told {vet_name}
        {call.taken && ` at ${time(call.taken.at)}`} and stopped calling others.
      </Head>
      <Facts shown={shown} called_at={call.called_at} />
      {call.in_portal && (
        <p className="text-14 text-ink-soft">Sign in to the clinic portal for the whole case.</p>
      )}
    </Frame>
  )
}

function Declined({ call: { clinic, next }, shown: { vet_name }, pressed, press, troubled }: Asked) {
  return (
    <Frame
      clinic={clinic}
      foot={
        <>
          <Button wide size={56} {...press('yes')}>
            I’m on it after all
          </Button>
          {troubled}
        </>
      }
    >
      <Head icon="arrow-right-left" title="We’ve told the vet" focus={pressed}>
        {next
          ? `We’re calling ${next} now. You don’t have to do anything.`
          : `Nobody else is on tonight’s list, so ${vet_name} decides now. You don’t have to do anything.`}
      </Head>
      <p className="text-14 text-ink-soft">
        Pressed by mistake? You can still take it until somebody else has.
      </p>
    </Frame>
  )
}

function Open({ call: { clinic, name, until, next, called_at }, shown, press, troubled }: Asked) {
  const { pet, about, caller, phone, urgency } = shown
  return (
    <Frame
      clinic={clinic}
      foot={
        <>
          <Button
            variant="primary"
            size={56}
            wide
            className="min-h-[72px] rounded-[20px]! text-22!"
            {...press('yes')}
          >
            I’m on it
          </Button>
          <Button variant="text" wide {...press('no')}>
            I can’t
          </Button>
          {troubled}
          <p className="text-center text-14 text-ink-soft">
            {until
              ? next
                ? `After ${time(until)} we call ${next}.`
                : `After ${time(until)} we tell the vet that nobody answered.`
              : 'Nobody has the case yet, so you can still take it.'}
          </p>
        </>
      }
    >
      <div className="grid justify-items-start gap-[10px]">
        <UrgencyBadge urgency={urgency} />
        <h1 className="t28">{[pet, about.split(',')[0]].filter(Boolean).join(', ')}</h1>
        <p className="text-ink-soft">{name}, you’re the contact now. Can you take this?</p>
      </div>
      {phone && (
        <a
          href={telOf(phone)}
          className="grid grid-cols-[44px_minmax(0,1fr)] items-center gap-x-[14px] rounded-card border border-line bg-card px-4 py-[14px] leading-[1.35] text-ink no-underline"
        >
          <span className="row-span-2 grid size-11 place-items-center rounded-full bg-green-soft text-green-soft-ink">
            <Icon name="phone" />
          </span>
          <b className="text-22 font-bold tabular-nums">{phone}</b>
          <span className="text-14 text-ink-soft">
            {caller}, {pet}’s owner
          </span>
        </a>
      )}
      <Facts shown={shown} called_at={called_at} />
    </Frame>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid grid-cols-[5.25rem_minmax(0,1fr)] gap-3">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="[overflow-wrap:anywhere] whitespace-pre-wrap">{children}</dd>
  </div>
)
