import { useQuery } from '@tanstack/react-query'
import { accessQuery } from './room-queries.ts'
import { dayAndTime } from '../lib/dates.ts'
import { Dialog } from '../ui/dialog.tsx'
import { say, type Sentence, sentence } from '../ui/say.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'

/** Each kind of access in words for the owner. */
const DONE: Record<string, Sentence<'name'>> = {
  opened: sentence('{name} opened it'),
  'read the record': sentence('{name} read the record'),
  took: sentence('{name} took it'),
  'took the question': sentence('{name} took your question'),
  'handed over': sentence('{name} handed it over'),
  ended: sentence('{name} ended it'),
  'added to the note': sentence('{name} added to the note'),
  'sent the advice': sentence('{name} sent the advice'),
  'opened the plan': sentence('{name} opened the plan'),
  'extended the deadline': sentence('{name} gave more time to write'),
  'handed back': sentence('{name} returned it to the queue'),
}

/** For a kind of access without a sentence of its own. */
const ELSE = sentence('{name} was involved')

export function OpenedBy({ id, onClose }: { id: number; onClose: () => void }) {
  const access = useQuery(accessQuery(id))
  return (
    <Dialog title={say('Who opened this consult')} onClose={onClose}>
      {access.data ? (
        access.data.length > 0 ? (
          <ul className="divide-y divide-line">
            {access.data.map(({ name, action, reason, at }) => (
              <li key={`${at} ${name} ${action}`} className="py-3">
                <p>{say(DONE[action] ?? ELSE, { name: <span className="font-semi">{name}</span> })}</p>
                {reason && <p className="[overflow-wrap:anywhere]">“{reason}”</p>}
                <p className="text-14 text-ink-soft tabular-nums">{dayAndTime(at)}</p>
              </li>
            ))}
          </ul>
        ) : (
          <p>{say('Only you have opened it so far.')}</p>
        )
      ) : (
        <RowsLoading of={access} what={say('this list')} />
      )}
    </Dialog>
  )
}
