import { useQuery } from '@tanstack/react-query'
import { Conversation } from '../chat/conversation.tsx'
import { roomQuery } from '../chat/queries.ts'
import { useConversation, useDraft } from '../chat/use-conversation.tsx'
import { PetFace } from '../pets/pet-face.tsx'
import { RoomFrame, RoomNotRead, RoomOpening } from './room-frame.tsx'
import { useRoomChanges } from './room-changes.tsx'

/** The conversation as a vet or an admin reads it at the owner's address. */
export function StaffRoom({ id, me }: { id: number; me: number }) {
  const room = useQuery(roomQuery(id))
  const conversing = useConversation(id, { me, side: 'vet' })
  const draft = useDraft(id)
  useRoomChanges(id)
  if (!room.data) return room.error ? <RoomNotRead onRetry={() => void room.refetch()} /> : <RoomOpening />
  const { pet, user, people, vet_id, vet_name, start, pet_issue } = room.data
  return (
    <RoomFrame
      back={{ href: '/myaccount', name: 'My account' }}
      face={<PetFace species={pet.species_id} size={40} />}
      title={`${pet.name}, ${user.firstName} ${user.lastName}`}
      state={vet_name ? `With ${vet_name}` : 'Waiting for a vet'}
      dot={vet_name ? 'on' : 'wait'}
    >
      <Conversation
        conversing={conversing}
        people={people}
        me={me}
        side="vet"
        question={{ body: pet_issue, at: start }}
        draft={draft}
        label="Message to the owner"
        placeholder="Message"
        closed={vet_id === me ? undefined : 'Only the vet who has this consult can write in it.'}
      />
    </RoomFrame>
  )
}
