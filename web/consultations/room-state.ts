import type { Room } from '#contract/consultations.ts'
import { MINUTE } from '#contract/time.ts'
import type { ConversationState } from '../chat/conversation-store.ts'
import { briefDay, timeOrDay } from '../lib/dates.ts'
import { isPast } from '../lib/is-past.ts'
import { now } from '../lib/session.ts'
import { say } from '../ui/say.ts'
import type { Dot } from './room-frame.tsx'
import { shortVet } from './vet-name.ts'

/** A vet who wrote this recently is here, whatever their page says. */
const JUST_WROTE_MS = 2 * MINUTE

export function stateOf(
  room: Room,
  { otherTypes, messages, reach }: ConversationState,
): { state: string; dot: Dot } {
  const { cancelled, end, follow_up_until, vet_name, waiting, vet_id } = room
  if (cancelled) return { state: say('Cancelled'), dot: 'quiet' }
  if (end) {
    const isOpen = follow_up_until && !isPast(follow_up_until)
    const state = isOpen ? say('Ended. Ask until {day}', { day: briefDay(follow_up_until) }) : say('Ended')
    return { state, dot: 'quiet' }
  }
  if (waiting || !vet_name) {
    if (!room.flag) return { state: say('Waiting for a vet'), dot: 'wait' }
    const isEmergency = room.flag.level === 'emergency'
    const state = isEmergency ? say('Emergency, waiting for a vet') : say('Urgent, waiting for a vet')
    return { state, dot: 'urgent' }
  }
  const vet = shortVet(vet_name)
  if (otherTypes) return { state: say('{vet} is typing', { vet }), dot: 'on' }
  const last = messages.findLast(({ user_id }) => user_id === vet_id)
  if (reach === 'lost') {
    const state = last ? say('Last seen {time}', { time: timeOrDay(last.at) }) : say('Not connected')
    return { state, dot: 'quiet' }
  }
  const wrote = last && now() - Date.parse(last.at) < JUST_WROTE_MS
  if (room.vet && room.vet.is !== 'here' && !wrote)
    return { state: placeOf(room.vet, vet), dot: room.vet.is === 'away' ? 'quiet' : 'wait' }
  return { state: say('{vet} is with you', { vet }), dot: 'on' }
}

/** Where a vet is who isn't on the page. */
function placeOf({ is, since }: NonNullable<Room['vet']>, vet: string) {
  if (is === 'with_another') return say('{vet} is with another owner, then with you', { vet })
  if (is === 'around') return say('{vet} will join you', { vet })
  return since ? say('Away since {time}', { time: timeOrDay(since) }) : say('Away')
}
