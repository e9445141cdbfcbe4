import { useRef } from 'react'
import type { Person } from '#contract/people.ts'
import { CallButton } from '../lib/call-button.tsx'
import { deviceOf } from '../profile/sessions.tsx'
import { TwoLines } from '../ui/work-table.tsx'
import { ago, nameOf } from './person-words.ts'
import { useEndPersonSessions } from './queries.ts'
import { Rows, Section } from '../ui/section.tsx'

/** Where the person is signed in. The result of ending a session appears in its place. */
export function PersonSessions({ person }: { person: Person }) {
  const { id, sessions } = person
  const end = useEndPersonSessions()
  const heading = useRef<HTMLHeadingElement>(null)
  const others = sessions.filter(({ here }) => !here)
  const ended = (said: string) => {
    heading.current?.focus()
    return said
  }
  return (
    <Section
      title="Sessions"
      heading={heading}
      aside={
        others.length > 1 && (
          <CallButton
            size={36}
            busyLabel="Ending…"
            call={end}
            input={{ id }}
            onDone={() => ended(`${nameOf(person)} has been signed out everywhere.`)}
          >
            {others.length === 2 ? 'End both' : `End all ${others.length}`}
          </CallButton>
        )
      }
    >
      <Rows of={sessions} none="Not signed in anywhere.">
        {({ id: session, agent, here, last_used }) => {
          const device = deviceOf(agent)
          return (
            <li key={session} className="flex items-center justify-between gap-3 px-5 py-3">
              <TwoLines bold first={device} then={here ? 'You, here' : `Used ${ago(last_used)}`} />
              {!here && (
                <CallButton
                  variant="text"
                  size={36}
                  aria-label={`End ${device}, used ${ago(last_used)}`}
                  call={end}
                  input={{ id, session }}
                  onDone={() => ended(`${device} has been signed out.`)}
                >
                  End
                </CallButton>
              )}
            </li>
          )
        }}
      </Rows>
    </Section>
  )
}
