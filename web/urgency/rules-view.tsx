import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { RulesVersion } from '#contract/urgency.ts'
import { CallButton } from '../lib/call-button.tsx'
import { day, dayAndTime } from '../lib/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { LiveDialog, ReviewDialog } from './rules-dialogs.tsx'
import { useWithdraw, versions } from './rules-queries.ts'
import { Replayed } from './rules-replay.tsx'
import { SignsAndWords } from './rules-words.tsx'

/** The versions of the urgency rules: what each would have caught, who reviewed it, and which one is live. */
export default function UrgencyRules() {
  const { data, isError, refetch } = useQuery(versions)
  const [asked] = useSearchParams()
  const live = data?.versions.find((one) => one.live)
  const shown = data?.versions.find(({ version }) => version === asked.get('version')) ?? live
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4">
        <ViewHead title="Urgency rules" />
        <p className="text-14 text-ink-soft">What makes a consult urgent. A vet reviews each version.</p>
      </div>
      {data && shown && live ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 min-[60rem]:grid-cols-[240px_minmax(0,1fr)] min-[60rem]:items-start">
          <nav
            aria-label="Versions"
            className="overflow-clip rounded-card border border-line bg-card text-14 *:border-b *:border-line *:last:border-b-0"
          >
            {data.versions.map((one) => (
              <VersionLink key={one.version} one={one} shown={one.version === shown.version} />
            ))}
          </nav>
          <Version key={shown.version} one={shown} live={live} takesTwo={data.takes_two} vets={data.vets} />
        </div>
      ) : (
        <ViewLoading of={{ isError, refetch }} what="the versions" />
      )}
    </>
  )
}

function whyOff({ reviewed, was_live, asked }: RulesVersion) {
  if (!reviewed && !was_live) return 'A vet has to review it first.'
  return asked?.mine && 'You asked for it. A second admin has to confirm it.'
}

function liveSaid({ version, was_live }: RulesVersion, confirms: boolean) {
  if (was_live) return `Return to version ${version}`
  return confirms ? `Confirm version ${version}` : `Make version ${version} live`
}

function State({ one }: { one: RulesVersion }) {
  if (one.live) return <Badge tone="green">Live</Badge>
  if (one.asked) return <Badge tone="amber">Asked for</Badge>
  if (one.reviewed || one.was_live) return <Badge tone="amber">Ready</Badge>
  return null
}

const reviewSaid = ({ reviewed }: RulesVersion) =>
  reviewed ? `Reviewed ${day(reviewed.at)}, ${reviewed.name}` : 'No vet has reviewed it'

const VersionLink = ({ one, shown }: { one: RulesVersion; shown: boolean }) => (
  <Link
    href={`/admin/urgency?version=${encodeURIComponent(one.version)}`}
    aria-current={shown ? 'true' : undefined}
    className="grid gap-1 p-4 leading-snug text-inherit no-underline hover:bg-paper-sunk focus-visible:-outline-offset-3 aria-[current]:bg-green-soft"
  >
    <span className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1 *:whitespace-nowrap">
      <span className="font-semi">Version {one.version}</span>
      <State one={one} />
    </span>
    <span className="text-ink-soft">{reviewSaid(one)}</span>
    <span className="text-ink-soft">
      {one.signs} signs, {one.phrases.toLocaleString('en-ZA')} phrases
    </span>
  </Link>
)

function Version({
  one,
  live,
  takesTwo,
  vets,
}: {
  one: RulesVersion
  live: RulesVersion
  takesTwo: boolean
  vets: { id: number; name: string; registration: string }[]
}) {
  const [opens, setOpens] = useState<'review' | 'live'>()
  const withdraw = useWithdraw()
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusAfter(one.asked !== null, () => heading.current)
  const { version, reviewed, asked, live_since } = one
  const confirms = asked !== null && !asked.mine
  return (
    <div className="stack gap-4">
      <div className="stack gap-1">
        <div className="flex flex-wrap items-center gap-3">
          <h2 ref={heading} tabIndex={-1} className="t22">
            Version {version}
          </h2>
          <State one={one} />
        </div>
        <p className="text-14 text-ink-soft">
          Made by {one.made_by} on {day(one.made_on)}. {one.notes}
        </p>
        <p className="text-14 text-ink-soft">
          {reviewed
            ? `Reviewed by ${reviewed.name}, ${reviewed.registration}, on ${day(reviewed.at)}; ${reviewed.noted_by} noted it.`
            : 'No vet has reviewed it. Owners see that beside its advice.'}{' '}
          {one.live &&
            (live_since
              ? `Live since ${dayAndTime(live_since.at)}, by ${live_since.name}.`
              : 'It went live with an update.')}
        </p>
      </div>
      {asked && (
        <Note tone="wait" title={`${asked.mine ? 'You' : asked.name} asked to make this version live`}>
          <p>
            “{asked.reason}”, {dayAndTime(asked.at)}. {asked.mine ? 'A second admin has to confirm it.' : ''}
          </p>
          <p>
            <CallButton
              size={36}
              busyLabel="Withdrawing…"
              call={withdraw}
              input={{ version }}
              onDone={() => 'It stays as it is. Nothing went live.'}
            >
              {asked.mine ? 'Withdraw' : 'Refuse'}
            </CallButton>
          </p>
        </Note>
      )}
      <Replayed version={version} live={live.version} />
      <div className="flex flex-wrap items-start gap-3 border-t border-line pt-4">
        {!one.live && (
          <Button variant="primary" size={36} off={whyOff(one)} onClick={() => setOpens('live')}>
            {liveSaid(one, confirms)}
          </Button>
        )}
        <Button size={36} onClick={() => setOpens('review')}>
          {reviewed ? 'Record another review' : 'Record a vet’s review'}
        </Button>
      </div>
      <SignsAndWords version={version} />
      {opens === 'review' && (
        <ReviewDialog version={version} vets={vets} onClose={() => setOpens(undefined)} />
      )}
      {opens === 'live' && (
        <LiveDialog
          one={one}
          live={live.version}
          asks={takesTwo && !confirms && !one.was_live}
          onClose={() => setOpens(undefined)}
        />
      )}
    </div>
  )
}
