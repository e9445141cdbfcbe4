import { useState } from 'react'
import type { Consultation } from '#contract/consultations.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { say } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'

const load = () => import('./start-consult-dialog.tsx')

/** Members join the queue here, in two presses. */
export function ChatNow({ open, onAddPet }: { open: Consultation[]; onAddPet: () => void }) {
  const [type, setType] = useState<1 | 2>()
  const close = () => setType(undefined)
  return (
    <Card
      aria-labelledby="chat-now"
      className="stack gap-5 min-[60rem]:grid-cols-[minmax(0,1fr)_auto] min-[60rem]:items-center"
    >
      <div className="stack gap-1">
        <h2 id="chat-now" className="t22">
          {say('Chat to a Vet now')}
        </h2>
        <p className="text-ink-soft">
          {open.length > 0
            ? say('About another pet or problem. It’s part of your membership.')
            : say('For any worry, big or small. It’s part of your membership.')}
        </p>
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.25rem),1fr))] gap-3 min-[60rem]:grid-cols-[auto_auto]">
        <Button
          variant={open.length > 0 ? 'soft' : 'primary'}
          icon="message-circle"
          className="px-2! whitespace-nowrap xs:px-6!"
          onClick={() => setType(1)}
        >
          {say('Text Now')}
        </Button>
        <Button
          variant="soft"
          icon="video"
          className="px-2! whitespace-nowrap xs:px-6!"
          onClick={() => setType(2)}
        >
          {say('Video Now')}
        </Button>
      </div>
      {type && (
        <LateDialog load={load} title={type === 2 ? say('Video Now') : say('Text Now')} onClose={close}>
          {({ StartConsultDialog }) => (
            <StartConsultDialog
              type={type}
              open={open}
              onClose={close}
              onText={() => setType(1)}
              onAddPet={() => {
                close()
                onAddPet()
              }}
            />
          )}
        </LateDialog>
      )}
    </Card>
  )
}

export const ChatNowSkeleton = () => (
  <Card className="stack gap-5 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
    <div className="stack gap-1">
      <Skeleton className="my-1 h-5 w-48" />
      <Skeleton className="my-1 h-4 w-full max-w-72" />
      <Skeleton className="my-1 h-4 w-32 lg:hidden" />
    </div>
    <div className="grid grid-cols-2 gap-3">
      <Skeleton className="h-12 lg:w-34" />
      <Skeleton className="h-12 lg:w-34" />
    </div>
  </Card>
)
