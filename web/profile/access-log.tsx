import { useQuery } from '@tanstack/react-query'
import type { Look } from '#contract/profile.ts'
import { dayAndTime } from '../lib/dates.ts'
import { ListCard } from '../ui/card.tsx'
import { FirstRows } from '../ui/first-rows.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say, type Sentence, sentence } from '../ui/say.ts'
import { myLooks } from './queries.ts'

/** Each thing that staff do to an account, in words for its owner. */
const DONE: Record<string, Sentence<'name' | 'number'>> = {
  'opened the person': sentence('{name} opened your account'),
  opened: sentence('{name} opened consult {number}'),
  'read the record': sentence('{name} read the record of consult {number}'),
  'opened the plan': sentence('{name} opened the plan of consult {number}'),
  refunded: sentence('{name} made a refund on receipt VC-{number}'),
  'extended the deadline': sentence('{name} gave you more time in consult {number}'),
  'ended a session': sentence('{name} signed out one of your devices'),
  'ended all sessions': sentence('{name} signed you out everywhere'),
  'sent a mail again': sentence('{name} sent you an email again'),
  'mailed a password link': sentence('{name} emailed you a password link'),
  'opened the invoice of a claim': sentence('{name} opened the invoice of a PawCare claim'),
  'decided a claim': sentence('{name} recorded what the insurer decided about your claim'),
  'corrected a claim': sentence('{name} corrected what the insurer decided about your claim'),
  'cancelled the membership': sentence('{name} cancelled your membership'),
}

/** For anything that has no sentence of its own. */
const ELSE = sentence('{name} changed your account')

/** What our people looked at and changed, and why. */
export function AccessLog() {
  const asked = useQuery(myLooks)
  const looks = asked.data
  return (
    <ListCard titleId="looks" title={say('Who looked at your account')}>
      {looks?.length === 0 ? (
        <p className="px-5 py-5 text-ink-soft lg:px-6">
          {say('Nobody yet. If one of our people opens your account, you’ll see who and why.')}
        </p>
      ) : looks ? (
        <FirstRows items={looks} count={4}>
          {(look) => <Row key={`${look.at} ${look.name} ${look.action}`} look={look} />}
        </FirstRows>
      ) : (
        <RowsLoading of={asked} what={say('this list')} rows={2} />
      )}
    </ListCard>
  )
}

const Row = ({ look: { name, action, reason, at, about } }: { look: Look }) => (
  <li className="px-5 py-3 lg:px-6">
    <p>
      {say(DONE[action] ?? ELSE, {
        name: <span className="font-semi">{name || say('An admin')}</span>,
        number: about ?? '',
      })}
    </p>
    {reason && <p className="[overflow-wrap:anywhere]">“{reason}”</p>}
    <p className="text-14 text-ink-soft tabular-nums">{dayAndTime(at)}</p>
  </li>
)
