import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { USER_TYPES } from '#contract/accounts.ts'
import { useLeaveWhenSessionEnds } from '../accounts/queries.ts'
import { ApiError } from '../lib/api.ts'
import { currentUser } from '../lib/current-user.ts'
import { dropKept, keptOf } from '../chat/kept.ts'
import { readEarly } from '../chat/queries.ts'
import { ConsultLink } from '../consultations/consult-link.tsx'
import { roomQuery } from '../consultations/room-queries.ts'
import { useLastShown } from '../lib/last-shown.ts'
import { leaveForLogin } from '../lib/login-path.ts'
import { usePageAddress } from '../lib/page-address.tsx'
import { singleToken, useSession } from '../lib/session.ts'
import { OrBroken } from '../shell/broken.tsx'
import { OwnerRoom } from '../consultations/owner-room.tsx'
import { RoomNotRead, RoomOpening } from '../consultations/room-frame.tsx'
import { LatePart } from '../ui/late-part.ts'

/** Most visitors are owners, so the console's script loads only once we know it's needed. */
const loadStaff = () => import('../queue/console.tsx')
const loadNoRoom = () => import('../consultations/no-room.tsx')

const notLoaded = (retry: () => void) => <RoomNotRead onRetry={retry} />

export const Room = () => (
  <OrBroken>
    <LinkOrRoom />
  </OrBroken>
)

/** A mailed link becomes its room in the same document. */
function LinkOrRoom() {
  const { pathname, search } = usePageAddress()
  const isLink = /^\/uservideo\//i.test(pathname)
  const [wasLink] = useState(isLink)
  return isLink ? <ConsultLink {...{ pathname, search }} /> : <RoomFor wasPressed={wasLink} />
}

/** The room, if this person may see it. A button that was pressed for it has disappeared. */
function RoomFor({ wasPressed }: { wasPressed: boolean }) {
  const id = Number(usePageAddress().pathname.split('/')[2])
  const session = useSession()
  useLeaveWhenSessionEnds(session === 'in')
  const isGuest = session === 'out' && singleToken() !== undefined
  const kept = keptOf(id)
  const asKept = { initialDataUpdatedAt: kept?.at }
  const user = useQuery({ ...currentUser, enabled: session === 'in', initialData: kept?.user, ...asKept })
  const isStaff = user.data !== undefined && user.data.type !== USER_TYPES.owner
  const asks = (session === 'in' && !isStaff) || isGuest
  const room = useQuery({
    ...roomQuery(id),
    enabled: asks,
    initialData: kept?.room,
    ...asKept,
  })
  // Staff may be refused, so until we know who this is, only an owner's or a guest's messages are asked for.
  const shown = useLastShown('user')
  const isOwner = session === 'in' && (user.data ?? shown)?.type === USER_TYPES.owner
  const reads = room.data === undefined && (isOwner || isGuest)
  useEffect(() => {
    if (reads) readEarly(id)
  }, [reads, id])
  useEffect(() => {
    if (session === 'out' && singleToken() === undefined) leaveForLogin()
  }, [session])

  const { error } = room
  // Only once we know who this is can we tell their messages from the others', or whether a refusal is final.
  const knows = isGuest || user.data !== undefined
  const isRefused = knows && !isStaff && error instanceof ApiError && [403, 404].includes(error.status)
  useEffect(() => {
    if (isRefused) dropKept(id)
  }, [isRefused, id])
  const stands = room.data && knows ? 'open' : error || user.isError ? 'failed' : 'opening'
  // The button that tries again disappears with its frame, and so does each frame after it.
  const pressed = useRef(wasPressed)
  useEffect(() => {
    if (pressed.current && document.activeElement === document.body) document.querySelector('main')?.focus()
  }, [stands])
  if (isRefused)
    return (
      <LatePart key="none" load={loadNoRoom} waits={<RoomOpening />} renderFailed={notLoaded}>
        {({ NoRoom }) => <NoRoom />}
      </LatePart>
    )

  const isOwn = room.data?.people.some(({ id: who, side }) => side === 'owner' && who === user.data?.id)
  if (user.data && isStaff && !isOwn) {
    const me = user.data.id
    return (
      <LatePart key="staff" load={loadStaff} waits={<RoomOpening />} renderFailed={notLoaded}>
        {({ StaffRoom }) => <StaffRoom id={id} me={me} />}
      </LatePart>
    )
  }
  if (room.data && knows) return <OwnerRoom room={room.data} user={user.data} />
  if (stands === 'failed')
    return (
      <RoomNotRead
        onRetry={() => {
          pressed.current = true
          void room.refetch()
          if (user.isError) void user.refetch()
        }}
      />
    )
  return <RoomOpening />
}
