import { type ReactNode, useEffect, useState } from 'react'
import type { Message } from '#contract/chat.ts'
import type { Room } from '#contract/consultations.ts'
import type { ConversationState } from '../chat/conversation-store.ts'
import type { OutboxItem } from '../chat/outbox.ts'
import { dayAndTime, time } from '../lib/dates.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { keepInTab } from '../ui/tab-storage.ts'

const BACK_FOR_MS = 6000

const tones = {
  amber: 'bg-amber-soft text-amber-soft-ink',
  green: 'bg-green-soft text-green-soft-ink',
  plain: 'bg-paper-sunk text-ink',
}

const Banner = ({
  tone,
  icon,
  title,
  children,
}: {
  tone: keyof typeof tones
  icon: IconName
  title: string
  children?: ReactNode
}) => (
  <div className={`flex items-start gap-3 px-4 py-[10px] text-14 lg:justify-center lg:px-6 ${tones[tone]}`}>
    <Icon name={icon} className="mt-px" />
    <p className="max-w-[76ch]">
      <strong className="font-semi">{title}</strong> {children}
    </p>
  </div>
)

/** The worst current problem, and what happens next. */
export function useRoomBanner({
  room,
  chat: { reach, opened, outbox, messages },
  writes,
}: {
  room: Room
  chat: ConversationState
  writes: boolean
}) {
  const { end, cancelled, follow_up_until, pet } = room
  const lost = reach === 'lost' && opened === 'open'
  const waiting = outbox.filter(({ failed }) => !failed)
  const back = useBack(room.id, reach, lost, outbox, messages)
  const wroteOn = useWroteOn(end, writes)

  if (lost)
    return (
      <Banner
        tone="amber"
        icon="wifi-off"
        title={navigator.onLine ? say('We can’t reach VetChat.') : say('No connection.')}
      >
        {waiting.some(({ pageOnly }) => pageOnly)
          ? say(
              'Your messages will be sent when you’re back online. Keep this page open: your browser can’t save them.',
            )
          : say(
              'Keep writing: your messages are saved on this device and will be sent when you’re back online.',
            )}
        {end ? '' : ` ${say('{name}’s consult stays open.', { name: pet.name })}`}
      </Banner>
    )
  if (wroteOn && !cancelled && follow_up_until)
    return (
      <Banner tone="plain" icon="info" title={say('The consult ended at {time}.', { time: time(end!) })}>
        {say('What you wrote is still below. Send it as a follow-up question, free until {day}.', {
          day: dayAndTime(follow_up_until),
        })}
      </Banner>
    )
  if (back !== undefined)
    return (
      <Banner tone="green" icon="circle-check" title={say('Back online.')}>
        {back === 1
          ? say('Your message was sent.')
          : back > 1
            ? say('Your {back} messages were sent.', { back })
            : ''}
      </Banner>
    )
  return undefined
}

const keptIn = (key: string): string[] | undefined => {
  const kept = sessionStorage.getItem(key)
  return kept === null ? undefined : kept.split(' ').filter(Boolean)
}

function keep(key: string, waited: string[] | undefined, reach: ConversationState['reach']) {
  if (waited) keepInTab(key, waited.join(' '))
  else if (reach === 'live' || reach === 'calls') keepInTab(key, null)
}

/** How many messages were sent, for a moment after the connection is back and the outbox was tried. */
function useBack(
  id: number,
  reach: ConversationState['reach'],
  lost: boolean,
  outbox: OutboxItem[],
  messages: Message[],
) {
  // Also shown to people who reload because nothing happens.
  const key = `lost:${id}`
  const [waited, setWaited] = useState(() => keptIn(key))
  const [shows, setShows] = useState<number>()
  const waiting = outbox.filter(({ failed }) => !failed).map(({ client_id }) => client_id)
  if (lost) {
    // Messages may be sent before this page knows that the connection is back.
    const sent = waited?.filter((id) => messages.some(({ client_id }) => client_id === id)) ?? []
    const all = [...sent, ...waiting]
    if (waited?.join() !== all.join()) setWaited(all)
    if (shows !== undefined) setShows(undefined)
  } else if (waited && waiting.length === 0 && reach !== 'opening') {
    setShows(waited.filter((id) => outbox.every(({ client_id }) => client_id !== id)).length)
    setWaited(undefined)
  }
  useEffect(() => keep(key, lost ? waited : undefined, reach), [key, lost, waited, reach])
  useEffect(() => {
    if (shows === undefined) return
    const timer = setTimeout(() => setShows(undefined), BACK_FOR_MS)
    return () => clearTimeout(timer)
  }, [shows])
  return shows
}

/** Whether it ended while there was unsent text in the box. */
function useWroteOn(end: string | null, writes: boolean) {
  const [wrote, setWrote] = useState(false)
  if (wrote !== writes && (end === null || !writes)) setWrote(writes)
  return end !== null && wrote
}
