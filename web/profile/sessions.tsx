import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, useRef } from 'react'
import type { listSessions } from '#contract/profile.ts'
import type { Output } from '#contract/call.ts'
import { dayAndTime } from '../lib/dates.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ListCard } from '../ui/card.tsx'
import { FirstRows } from '../ui/first-rows.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'
import { LineSkeletons } from '../ui/skeleton.tsx'
import { mySessions, useEndOtherSessions, useEndSession } from './queries.ts'

/** The first match wins, because most browsers also name others. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const DEVICES: [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'Chromebook'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
]

/** "Chrome on Android", from a user agent. */
export function deviceOf(agent: string): string {
  const among = (names: [RegExp, string][]) => names.find(([fits]) => fits.test(agent))?.[1]
  const [browser, device] = [among(BROWSERS), among(DEVICES)]
  if (browser && device) return say('{browser} on {device}', { browser, device })
  return browser ?? device ?? say('A device we don’t recognise')
}

export function ProfileSessions() {
  const { show } = useAlert()
  const sessions = useQuery(mySessions)
  const endOthers = useEndOtherSessions()
  const heading = useRef<HTMLHeadingElement>(null)
  const list = sessions.data?.toSorted((a, b) => Number(b.here) - Number(a.here))
  const ended = (words: string) => {
    show(words)
    heading.current?.focus()
  }

  return (
    <Frame heading={heading}>
      {list ? (
        <FirstRows
          items={list}
          count={5}
          beside={
            list.length > 1 && (
              <Button
                size={44}
                variant="text"
                busy={endOthers.isPending}
                busyLabel={say('Signing out…')}
                onClick={() =>
                  endOthers.mutate(
                    {},
                    { onSuccess: () => ended(say('You’ve been signed out everywhere else.')) },
                  )
                }
              >
                {say('Sign out everywhere else')}
              </Button>
            )
          }
        >
          {(session) => (
            <Row key={session.id} session={session} onEnded={ended} onLost={() => void sessions.refetch()} />
          )}
        </FirstRows>
      ) : (
        <RowsLoading of={sessions} what={say('this list')} waits={<SessionSkeletons />} />
      )}
    </Frame>
  )
}

function Row({
  session: { id, agent, here, last_used },
  onEnded,
  onLost,
}: {
  session: Output<typeof listSessions>[number]
  onEnded: (words: string) => void
  onLost: () => void
}) {
  const end = useEndSession()
  const device = deviceOf(agent)
  return (
    <li className="flex min-h-[76px] flex-wrap items-center justify-between gap-x-3 gap-y-1 py-3 pr-3 pl-5 lg:pl-6">
      <div className="min-w-[min(100%,9rem)] flex-1">
        <p className="font-medium">{device}</p>
        <p className="text-14 text-ink-soft">
          {here ? say('In use now') : say('Last used {time}', { time: dayAndTime(last_used) })}
        </p>
      </div>
      {here ? (
        <Badge tone="green" className="mr-2">
          {say('This device')}
        </Badge>
      ) : (
        <Button
          size={44}
          variant="text"
          aria-label={say('Sign out {device}', { device })}
          busy={end.isPending}
          busyLabel=""
          onClick={() =>
            end.mutate(
              { id },
              { onSuccess: () => onEnded(say('{device} has been signed out.', { device })), onError: onLost },
            )
          }
        >
          {say('Sign out')}
        </Button>
      )}
    </li>
  )
}

const Frame = (part: { heading?: Ref<HTMLHeadingElement>; children: ReactNode }) => (
  <ListCard titleId="sessions" title={say('Where you are signed in')} {...part} />
)

const SessionSkeletons = () => <LineSkeletons firsts={['w-2/5', 'w-1/2']} second="w-3/5" />

export const ProfileSessionsSkeleton = () => (
  <Frame>
    <SessionSkeletons />
  </Frame>
)
