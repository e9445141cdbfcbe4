import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import { CONSULT_TYPES, type Room } from '#contract/consultations.ts'
import type { Pet } from '#contract/pets.ts'
import { Conversation } from '../chat/conversation.tsx'
import { type ConversationState, useConversation, useConversationState } from '../chat/conversation-store.ts'
import { useDraft } from '../chat/draft.ts'
import { useKept } from '../chat/kept.ts'
import { newsAfter } from '../chat/marks.ts'
import { markOpen } from '../lib/session.ts'
import { useStableCallbacks } from '../lib/stable-callbacks.ts'
import { myPets } from '../pets/queries.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Failed } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { LatePart } from '../ui/late-part.ts'
import { Menu, MenuButton, MenuLink } from '../ui/menu.tsx'
import { say } from '../ui/say.ts'
import { hasTextDraft } from '../ui/text-draft.ts'
import { askedKey, useAnswers } from '../records/answers.ts'
import { useIsPast } from '../lib/is-past.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { AboutConsult, faceOf } from './about-consult.tsx'
import { AskedQuestion } from './asked-question.tsx'
import { useRoomBanner } from './room-banner.tsx'
import { usePresence, useRoomChanges } from './room-changes.ts'
import { RoomFrame } from './room-frame.tsx'
import { roomQuery } from './room-queries.ts'
import { stateOf } from './room-state.ts'
import { useOwnerCall } from '../video/owner-call.tsx'
import { shortVet } from './vet-name.ts'

/* What appears above the conversation is loaded with the state that needs it. */
const loadWaiting = () => import('./waiting.tsx')
const loadFlagged = () => import('./flagged.tsx')
const loadEnded = () => import('./ended.tsx')
const loadQuestions = () => import('../records/questions.tsx')
const loadClinic = () => import('../aftercare/own-clinic-dialog.tsx')
const loadAccess = () => import('./access-list.tsx')

/** How often to refresh the place in the queue. Without a socket everything is refreshed more often. */
const POLLS_EVERY_MS = 20_000
const POLLS_ALONE_EVERY_MS = 8000

/** The owner's side of a consult: waiting, talking, and the vet's plan afterwards. */
export function OwnerRoom({ room, user }: { room: Room; user: User | undefined }) {
  const { id, pet, people, end, cancelled, follow_up_until, start, pet_issue, waiting, flag } = room
  const me = people.find(({ side }) => side === 'owner')!.id
  const conversation = useConversation(id, { me, side: 'owner' })
  const chat = useConversationState(conversation)
  const draft = useDraft(id)
  const box = useRef<HTMLTextAreaElement>(null)
  const [wasCancelled] = useState(cancelled)
  const [shows, setShows] = useState<'access' | 'clinic'>()
  const close = () => setShows(undefined)
  useRoomChanges(id, chat.joins)
  usePolling(room, chat)
  usePresence(id, end === null)
  useKept(room, user, chat)
  useUnreadTitle(pet.name, chat, me)
  useAnswers(waiting ? null : pet.id, id)
  const banner = useRoomBanner({ room, chat, writes: draft.text.trim() !== '' })
  const pets = useQuery({ ...myPets, enabled: user !== undefined })
  const known = pets.data?.find((one) => one.id === pet.id)
  const { state, dot } = stateOf(room, chat)
  const over = useIsPast(follow_up_until)
  const acts = useStableCallbacks({
    onWrite(text: string) {
      // Pressing the same prompt again doesn't add it to a draft that already has it.
      if (!draft.text.split('\n').some((line) => line.startsWith(text.trim())))
        draft.write(draft.text ? `${draft.text}\n${text}` : text)
      box.current?.focus()
    },
    onPhoto: (photos: File[]) => void conversation.outbox.attach(photos),
    onAccess: () => setShows('access'),
  })
  const { vet_id, vet_name, type } = room
  const isLive = end === null && !cancelled
  useEffect(() => markOpen(isLive), [isLive])
  const video = useOwnerCall({
    consultation: id,
    pet: pet.name,
    isOpen: isLive && vet_id !== null,
    opensCheck: isLive && type === CONSULT_TYPES.video && flag?.level !== 'emergency',
    vet: vet_id,
    vetHere: room.vet?.is === 'here',
    joins: chat.joins,
    onPhoto: (photo) => void conversation.outbox.attachWhole(photo),
    onSay: conversation.outbox.send,
    box,
  })
  const back = backOf(user)

  const question = useMemo(() => ({ body: pet_issue, at: start }), [pet_issue, start])
  // Rebuilt only when it changes, not at every keystroke in the box.
  const before = useMemo(
    () =>
      cancelled || end || waiting || flag ? (
        <Before {...{ room, user, pet: known, wasCancelled }} onWrite={acts.onWrite} onPhoto={acts.onPhoto} />
      ) : undefined,
    [room, cancelled, end, waiting, flag, user, known, wasCancelled, acts],
  )

  const talk = {
    conversation,
    people,
    draft,
    box,
    label: end
      ? say('Follow-up question')
      : waiting
        ? say('Add something for the vet to read first')
        : say('Message to the vet'),
    placeholder: end ? say('Ask a follow-up') : waiting ? say('Write to the vet') : say('Message'),
    above: room.asked_again && <AskedQuestion asked={room.asked_again} />,
    between: isLive && !waiting && pet.id !== null && hasTextDraft(askedKey(id)) && (
      <LatePart load={loadQuestions}>
        {({ FoldedQuestion }) => (
          <FoldedQuestion pet={{ id: pet.id!, name: pet.name }} consultation={id} onPhoto={acts.onPhoto} />
        )}
      </LatePart>
    ),
    closed: cancelled || over ? <Closed cancelled={cancelled} wrote={draft.text !== ''} /> : undefined,
  }
  if (video.view && vet_name) {
    const unread = unreadOf(chat, me)
    return video.view({
      name: vet_name,
      called: shortVet(vet_name),
      face: <VetAvatar name={vet_name} size={40} />,
      chat: <Conversation {...talk} banner={banner} question={question} />,
      unread: unread.length,
      news: unread.at(-1),
    })
  }

  return (
    <RoomFrame
      back={back}
      face={faceOf(room, known, 40)}
      title={pet.name}
      state={state}
      dot={dot}
      more={
        <>
          {isLive && <IconButton label={say('Check camera and sound')} icon="video" onClick={video.check} />}
          <Menu
            label={say('More')}
            renderOpener={(opener) => <IconButton label={say('More')} icon="ellipsis" {...opener} />}
          >
            <MenuButton icon="shield-check" onClick={acts.onAccess}>
              {say('Who opened this consult')}
            </MenuButton>
            {!cancelled && (
              <MenuButton icon="house" onClick={() => setShows('clinic')}>
                {say('Share with your own clinic')}
              </MenuButton>
            )}
            <MenuLink icon="arrow-left" href={back.href}>
              {back.name}
            </MenuLink>
          </Menu>
        </>
      }
      aside={<AboutConsult room={room} user={user} pet={known} onAccess={acts.onAccess} />}
      printed={
        room.advice && (
          <LatePart load={loadEnded}>{({ PrintedPlan }) => <PrintedPlan room={room} />}</LatePart>
        )
      }
    >
      <Conversation
        {...talk}
        question={waiting ? undefined : question}
        banner={video.banner ?? banner ?? video.asks}
        before={before}
      />
      {video.extra}
      {shows === 'clinic' && (
        <LateDialog load={loadClinic} title={say('Your own clinic')} onClose={close}>
          {({ OwnClinicDialog }) => <OwnClinicDialog room={room} onClose={close} />}
        </LateDialog>
      )}
      {shows === 'access' && (
        <LateDialog
          load={loadAccess}
          title={say('Who opened this consult')}
          what={say('this list')}
          onClose={close}
        >
          {({ OpenedBy }) => <OpenedBy id={id} onClose={close} />}
        </LateDialog>
      )}
    </RoomFrame>
  )
}

const backOf = (user: User | undefined) =>
  user ? { href: '/myaccount', name: say('My account') } : { href: '/', name: 'VetChat' }

interface BeforeProps {
  room: Room
  user: User | undefined
  pet: Pet | undefined
  wasCancelled: boolean
  onWrite: (text: string) => void
  onPhoto: (photos: File[]) => void
}

/** What appears above the conversation while the owner waits, in an emergency without their vet, and after the end. */
function Before({ room, user, pet, wasCancelled, onWrite, onPhoto }: BeforeProps) {
  const { waiting } = room
  if (!room.cancelled && !room.end)
    return waiting ? (
      <Above key="waiting" load={loadWaiting} what={say('your place in the queue')}>
        {({ Waiting }) => <Waiting {...{ room, waiting, onWrite, onPhoto }} face={faceOf(room, pet, 48)} />}
      </Above>
    ) : (
      <LatePart key="flagged" load={loadFlagged}>
        {({ FlaggedMeanwhile }) => <FlaggedMeanwhile room={room} />}
      </LatePart>
    )
  return (
    <Above key="ended" load={loadEnded} what={say('the end of this consult')}>
      {({ Cancelled, Ended }) =>
        room.cancelled ? (
          <Cancelled room={room} back={backOf(user)} now={!wasCancelled} />
        ) : (
          <Ended room={room} />
        )
      }
    </Above>
  )
}

const Above = <Part,>({
  what,
  ...late
}: Pick<ComponentProps<typeof LatePart<Part>>, 'load' | 'children'> & { what: string }) => (
  <LatePart
    {...late}
    renderFailed={(retry) => <Failed what={what} onRetry={retry} />}
    waits={
      // As tall as the screen, like the part that is loading, so that the text below doesn't appear and jump away.
      <div
        aria-busy="true"
        className="mx-auto stack min-h-dvh w-full max-w-[760px] content-start gap-4 p-4 lg:gap-5 lg:p-6"
      >
        <Skeleton className="h-60 rounded-card!" />
        <Skeleton className="h-14 rounded-card!" />
        <Skeleton className="h-60 rounded-card!" />
      </div>
    }
  />
)

const Closed = ({ cancelled, wrote }: { cancelled: boolean; wrote: boolean }) => (
  <>
    {cancelled ? say('You cancelled this consult.') : say('The time for follow-up questions has passed.')}{' '}
    {wrote
      ? say('What you wrote is still here, so you can copy it.')
      : say('If you have a new worry, please start a new consult.')}
  </>
)

function usePolling({ id, waiting, end }: Room, { reach }: ConversationState) {
  const every = end === null && reach !== 'live' ? POLLS_ALONE_EVERY_MS : waiting ? POLLS_EVERY_MS : false
  // What it fetches is drawn by the page around this one.
  useQuery({ ...roomQuery(id), refetchInterval: every, notifyOnChangeProps: [] })
}

const unreadOf = ({ messages, seen, opened }: ConversationState, me: number) =>
  opened === 'open' ? newsAfter(seen, messages, me) : []

function useUnreadTitle(pet: string, chat: ConversationState, me: number) {
  const unread = unreadOf(chat, me).length
  useEffect(() => {
    document.title = `${unread ? `(${unread}) ` : ''}${pet} · VetChat`
  }, [pet, unread])
}
