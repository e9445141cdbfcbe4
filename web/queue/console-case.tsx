import { useQueryClient } from '@tanstack/react-query'
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react'
import { USER_TYPES, type User } from '#contract/accounts.ts'
import type { Output } from '#contract/call.ts'
import type { getRecord } from '#contract/clinical.ts'
import type { Room } from '#contract/consultations.ts'
import { entersToSend } from '../chat/composer.tsx'
import { Conversation } from '../chat/conversation.tsx'
import {
  type ConversationStore,
  useConversation,
  useConversationPart,
  useConversationState,
} from '../chat/conversation-store.ts'
import { useDraft } from '../chat/draft.ts'
import { newsAfter } from '../chat/marks.ts'
import { dayAndTime, time } from '../lib/dates.ts'
import { PetFace } from '../pets/pet-face.tsx'
import { OwnRepliesDialog } from '../clinical/own-replies.tsx'
import { caseBeside } from '../lib/room-address.ts'
import { now } from '../lib/session.ts'
import { Button } from '../ui/button.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Link } from '../ui/link.tsx'
import { Menu, MenuButton } from '../ui/menu.tsx'
import { PrivateNote, Tools } from './case-tools.tsx'
import { answers, AskedAgain, mayTake } from './follow-up.tsx'
import { sexWords, useReplies } from '../clinical/canned-replies.tsx'
import { Key } from '../ui/key.tsx'
import type { VetCall } from '../video/vet-call.ts'
import { lastSaid, useSnooze } from './queries.ts'
import { PresenceDot } from './presence-dot.tsx'
import { UrgencyChip } from './urgency-chip.tsx'
import { isHere, isOverdue, nameOf, standingOf, timeSaid, useNow } from '../consultations/case-words.ts'

interface CaseProps {
  room: Room
  record: Output<typeof getRecord> | undefined
  user: User
  box: RefObject<HTMLTextAreaElement | null>
  /** Nothing counts as read until the conversation has had the focus. */
  entered: boolean
  onEnter: () => void
  taking: boolean
  singleKeys: boolean
  /** The message when a colleague took the case first. */
  lost: ReactNode
  onTake: () => void
  /** This case's call, which replaces the conversation. */
  call: VetCall | undefined
  ringing: boolean
  onVideo: () => void
  onHandOver: () => void
  onRecord: () => void
  /** Whether the box for a private note is open. */
  noting: boolean
  onNoting: (open: boolean) => void
  /** Goes to the note, where the consult is signed and ended. */
  onEnd: () => void
}

export const Case = memo(function Case(props: CaseProps) {
  const { room, user, onEnter, taking, singleKeys, lost, onTake, onHandOver, onRecord } = props
  const { call, ringing, onVideo, onEnd } = props
  const mine = room.vet_id === user.id
  const now = useNow()
  const late = isOverdue(room, now)
  const standing = standingOf(room)
  const owner = nameOf(room)

  return (
    <>
      <header className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
        <PetFace species={room.pet.species_id} size={40} />
        <div className="min-w-[8em] flex-1 leading-snug">
          <h2 className="flex gap-[0.25em] text-16 font-semi whitespace-nowrap">
            <span className="truncate">{room.pet.name}</span>{' '}
            <span className="max-w-[70%] flex-none truncate font-regular text-ink-soft max-sm:max-w-2/5">
              with {owner}, {room.id}
            </span>
          </h2>
          <p
            className={`truncate text-14 tabular-nums ${late ? 'font-semi text-coral-soft-ink' : 'text-ink-soft'}`}
          >
            {!room.end && (
              <span className="mr-[6px] inline-block align-middle">
                <PresenceDot here={isHere(room, now)} />
              </span>
            )}
            {standing === 'taken' && !mine ? `${room.vet_name} has this case. ` : ''}
            {presenceOf(room, now)}
            {room.end
              ? `Ended ${dayAndTime(room.end)} (${timeSaid(room, now).toLowerCase()})`
              : room.snoozed_until && Date.parse(room.snoozed_until) > now
                ? `Waiting for them until ${time(room.snoozed_until)}`
                : timeSaid(room, now)}
          </p>
          {!room.end && <UrgencyChip of={room.urgency} />}
        </div>
        <span className="flex items-center gap-2">
          <Button
            size={36}
            icon="clipboard-list"
            className="flex-none max-[63.99rem]:hidden min-[80rem]:hidden"
            onClick={onRecord}
          >
            Record
          </Button>
          {mine && standing === 'taken' && (
            <>
              {!call && (
                <Button
                  size={36}
                  icon="video"
                  className="flex-none"
                  busy={ringing}
                  busyLabel=""
                  onClick={onVideo}
                >
                  <span className="max-sm:sr-only">Video</span>
                </Button>
              )}
              <Button size={36} icon="circle-check" className="flex-none" onClick={onEnd}>
                <span className="max-sm:sr-only">End</span>
              </Button>
              <More room={room} onHandOver={onHandOver} />
            </>
          )}
          {mayTake(room, user) && (
            <Button
              variant="primary"
              size={36}
              className="flex-none"
              busy={taking}
              busyLabel="Taking…"
              onClick={onTake}
            >
              {room.asked_again ? 'Take the question' : 'Take'}{' '}
              {singleKeys && (
                <span className="pointer-coarse:hidden">
                  <Key>T</Key>
                </span>
              )}
            </Button>
          )}
        </span>
      </header>
      <div>
        {room.asked_again && <AskedAgain room={room} asked={room.asked_again} user={user} now={now} />}
        <Beside room={room} />
        <div role="alert">{lost}</div>
      </div>
      <div
        className="grid min-h-0 grid-cols-[minmax(0,1fr)]"
        onFocus={onEnter}
        onPointerDown={onEnter}
        role="presentation"
      >
        <Talk key={room.id} {...props} />
      </div>
    </>
  )
})

/** The consult that this one continues, or that continues it. */
function Beside({ room: { goes_on_from, goes_on_in } }: { room: Room }) {
  const other = goes_on_in ?? goes_on_from
  if (other === null) return null
  return (
    <p className="flex flex-wrap items-center gap-x-4 border-b border-line bg-paper px-4 py-1 text-14">
      {goes_on_in ? 'This continues in a new consult.' : 'This continues an earlier consult.'}
      <Link href={caseBeside(other)} className="min-h-9 content-center font-semi pointer-coarse:min-h-11">
        {goes_on_in ? 'Open the new one' : 'Open the earlier one'}
      </Link>
    </p>
  )
}

function More({ room, onHandOver }: Pick<CaseProps, 'room' | 'onHandOver'>) {
  const snooze = useSnooze()
  const isSnoozed = room.snoozed_until !== null && Date.parse(room.snoozed_until) > now()
  return (
    <Menu
      label="More"
      renderOpener={(opener) => (
        <IconButton {...opener} label="More" icon="ellipsis" className="pointer-fine:size-9" />
      )}
    >
      <MenuButton icon="arrow-right-left" onClick={onHandOver}>
        Hand over
      </MenuButton>
      <MenuButton icon="hourglass" onClick={() => snooze.mutate({ id: room.id, on: !isSnoozed })}>
        {isSnoozed ? 'Stop waiting for the owner' : 'Wait for the owner'}
      </MenuButton>
    </Menu>
  )
}

export const MESSAGES = '#talk [role=group]:has([role=log])'

const ASK_PHOTO = 'Could you send me a photo in good light? Tap the camera beside the message box.'

const BETWEEN = {
  hand_over: 'Handed over, only vets see this',
  private: 'Private, only vets see this',
}

const Talk = memo(function Talk(props: CaseProps) {
  const { room, user, box, entered, call, record, noting, onNoting } = props
  const mine = answers(room, user)
  const conversation = useConversation(room.id, { me: user.id, side: 'vet' })
  useOwnWordsInRow(conversation)
  const draft = useDraft(room.id)
  const closed = whyClosed(room, user, mine, useNow())
  const toTalk = () => box.current ?? document.querySelector<HTMLElement>(MESSAGES)
  // The pressed button above disappears once somebody takes the case, and once its question is settled.
  useFocusAfter(mayTake(room, user), toTalk)
  useFocusAfter(room.asked_again !== null, toTalk)
  const known = {
    pet: room.pet.name,
    owner: room.user.firstName,
    vet: `Dr ${user.lastName}`,
    ...sexWords(record?.pet?.sex),
    ...(record?.owner.own_clinic && { clinic: record.owner.own_clinic }),
  }
  const [edits, setEdits] = useState(false)
  const { above, press, unfilled, open, ask } = useReplies(draft, known, box, !closed, () => setEdits(true))
  const question = useMemo(() => ({ body: room.pet_issue, at: room.start }), [room.pet_issue, room.start])
  const additions = record?.note.additions
  const between = useMemo(
    () =>
      additions?.flatMap(({ kind, ...note }) =>
        kind === 'addition' ? [] : { ...note, label: BETWEEN[kind] },
      ),
    [additions],
  )
  const talk = (
    <Conversation
      conversation={conversation}
      holds={Boolean(unfilled) || open}
      people={room.people}
      question={question}
      draft={draft}
      reads={mine && entered}
      label={`Message to ${nameOf(room)}`}
      placeholder={`Write to ${room.user.firstName || 'the owner'}${entersToSend() ? ', or / for replies' : ''}`}
      closed={closed}
      sendLabel={room.end ? 'Send to the owner' : undefined}
      notes={between}
      above={
        <>
          {noting && <PrivateNote id={room.id} onClose={() => onNoting(false)} />}
          {above}
          {edits && <OwnRepliesDialog onClose={() => setEdits(false)} />}
        </>
      }
      sendHint={
        <span aria-hidden="true" className="contents pointer-coarse:hidden">
          <Key>Enter</Key>
        </span>
      }
      tools={
        user.type === USER_TYPES.vet &&
        !(closed && noting) && (
          <Tools
            writes={!closed}
            onAskPhoto={() => {
              draft.write(draft.text ? `${draft.text}\n${ASK_PHOTO}` : ASK_PHOTO)
              box.current?.focus()
            }}
            onReplies={ask}
            onNote={noting ? undefined : () => onNoting(true)}
          />
        )
      }
      box={box}
      onKeyDown={(event) => {
        press(event)
        // A message can't be sent until every placeholder is filled in.
        if (unfilled && event.key === 'Enter' && !event.shiftKey) event.preventDefault()
      }}
    />
  )
  return call ? <InTheCall room={room} call={call} conversation={conversation} talk={talk} /> : talk
})

/** The server doesn't push a message to the page that sent it, so that page refreshes its own row in the queue. */
function useOwnWordsInRow(conversation: ConversationStore) {
  const client = useQueryClient()
  const { consultation, me } = conversation
  const own = useConversationPart(conversation, ({ messages }) => {
    const last = messages.at(-1)
    return last?.user_id === me ? last.client_id : undefined
  })
  useEffect(() => {
    const { queryKey } = lastSaid(consultation)
    const known = client.getQueryData(queryKey)?.messages.at(-1)?.client_id
    if (own && own !== known) void client.invalidateQueries({ queryKey })
  }, [client, consultation, own])
}

/** The owner's picture, with the conversation beside it. */
function InTheCall({
  room,
  call,
  conversation,
  talk,
}: {
  room: Room
  call: VetCall
  conversation: ConversationStore
  talk: ReactNode
}) {
  const { messages, seen } = useConversationState(conversation)
  const unread = newsAfter(seen, messages, conversation.me)
  return (
    <call.Call
      store={call.store}
      name={`${nameOf(room)}, ${room.pet.name}`}
      called={room.user.firstName || 'The owner'}
      face={<PetFace species={room.pet.species_id} size={40} />}
      chat={talk}
      unread={unread.length}
      news={unread.at(-1)}
      onText={call.store.leave}
    />
  )
}

/** Whether the owner has the page open. Nothing once the consult has ended. */
function presenceOf(room: Room, now: number) {
  const { end, owner_seen_at } = room
  if (end) return ''
  if (isHere(room, now)) return 'Here now. '
  return owner_seen_at ? `Last here ${time(owner_seen_at)}. ` : 'Away. '
}

function whyClosed(room: Room, user: User, mine: boolean, now: number) {
  if (user.type !== USER_TYPES.vet) return 'Only vets can write here. You can read along.'
  if (room.cancelled) return `${nameOf(room)} left the queue before a vet joined.`
  const isOpen =
    room.asked_again !== null || (room.follow_up_until !== null && Date.parse(room.follow_up_until) > now)
  if (room.end && mine && isOpen) return undefined
  if (room.end && mayTake(room, user)) return 'Take this question to answer it.'
  if (room.end && room.asked_again?.vet_name)
    return `${room.asked_again.vet_name} has this question. You can read along.`
  if (room.end) return 'This consult has ended.'
  if (!room.vet_id) return 'Take this case to reply.'
  return mine ? undefined : `${room.vet_name} has this case. You can read along.`
}
