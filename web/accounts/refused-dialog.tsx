import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { say, sayLines } from '../ui/say.ts'

export function useRefusedDialog(title: string) {
  const [messages, setMessages] = useState<string[]>([])
  const close = () => setMessages([])
  const refusedDialog = messages.length > 0 && (
    <Dialog small onClose={close} title={title} keeps={say('Ok')}>
      <div role="alert" className="stack gap-2">
        {messages.map((message) => (
          <p key={message}>{sayLines(message)}</p>
        ))}
      </div>
    </Dialog>
  )
  return { onRefused: setMessages, refusedDialog }
}
