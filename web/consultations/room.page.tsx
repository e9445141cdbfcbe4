import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { type LoaderFunctionArgs, redirect, useParams } from 'react-router'
import { USER_TYPES } from '#contract/accounts.ts'
import { me as meQuery, useLeaveWhenSessionEnds } from '../accounts/queries.ts'
import { ApiError } from '../lib/api.ts'
import { roomQuery } from '../chat/queries.ts'
import { loginPath } from '../lib/from.ts'
import { pageMeta } from '../lib/meta.ts'
import { singleToken, useSession } from '../lib/session.ts'
import { say } from '../ui/say.ts'
import { RoomNotRead, RoomOpening } from './room-frame.tsx'

/** Each loads what they see. Most who come are owners, so theirs is on its way before that is known. */
const loadOwnerRoom = () => import('./owner-room.tsx')
const OwnerRoom = lazy(() => loadOwnerRoom().then((loaded) => ({ default: loaded.OwnerRoom })))
const StaffRoom = lazy(() => import('./console.tsx').then((loaded) => ({ default: loaded.StaffRoom })))
const NoRoom = lazy(() => import('./no-room.tsx').then((loaded) => ({ default: loaded.NoRoom })))

/** Either address opens the same room. Without a consultation they lead to where one is bought. */
export function loader({ params, request }: LoaderFunctionArgs) {
  const { consultation_id: id } = params
  const isVideo = new URL(request.url).pathname.startsWith('/video')
  if (id === undefined) throw redirect(isVideo ? '/video-purchase' : '/chat-purchase')
  if (!/^\d{1,9}$/.test(id)) throw redirect('/how-it-works#pricing-v2')
  return null
}

export const meta = () => pageMeta(say('Your consult'))

export default function RoomPage() {
  useEffect(() => void loadOwnerRoom(), [])
  return (
    <Suspense fallback={<RoomOpening />}>
      <RoomFor />
    </Suspense>
  )
}

/** The room as whoever has come may see it. */
function RoomFor() {
  const id = Number(useParams().consultation_id)
  const session = useSession()
  useLeaveWhenSessionEnds(session === 'in')
  const isGuest = session === 'out' && singleToken() !== undefined
  const user = useQuery({ ...meQuery, enabled: session === 'in' })
  const isStaff = user.data !== undefined && user.data.type !== USER_TYPES.owner
  const room = useQuery({ ...roomQuery(id), enabled: (session === 'in' && !isStaff) || isGuest })
  useEffect(() => {
    if (session === 'out' && singleToken() === undefined) location.replace(loginPath(location.pathname))
  }, [session])

  const isOwn = room.data?.people.some(({ id: who, side }) => side === 'owner' && who === user.data?.id)
  if (user.data && isStaff && !isOwn) return <StaffRoom id={id} me={user.data.id} />
  // Whose room it is must be known before one's own words are told from the others'.
  const knows = isGuest || user.data !== undefined
  if (room.data && knows) return <OwnerRoom room={room.data} user={user.data} />
  const { error } = room
  if (error instanceof ApiError && [403, 404].includes(error.status)) return <NoRoom />
  if (error || user.isError)
    return (
      <RoomNotRead
        onRetry={() => {
          void room.refetch()
          if (user.isError) void user.refetch()
        }}
      />
    )
  return <RoomOpening />
}
