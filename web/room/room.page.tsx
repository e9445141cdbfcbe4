import { type LoaderFunctionArgs, redirect } from 'react-router'
import { pageMeta } from '../lib/meta.ts'
import { say } from '../ui/say.ts'
import { RoomOpening } from '../consultations/room-frame.tsx'

/** Both addresses open the same room. Without a consultation, they lead to the purchase page. */
export function loader({ params, request }: LoaderFunctionArgs) {
  const { consultation_id: id } = params
  const isVideo = new URL(request.url).pathname.startsWith('/video')
  if (id === undefined) throw redirect(isVideo ? '/video-purchase' : '/chat-purchase')
  if (!/^\d{1,9}$/.test(id)) throw redirect('/pricing')
  return null
}

export const meta = () => pageMeta(say('Your consult'))

/** Shown until entry.room.tsx renders the room. */
export default function RoomPage() {
  return (
    <div id="alone" className="contents">
      <RoomOpening />
    </div>
  )
}
