import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { say, sayLines } from '../ui/say.ts'

/** Shows the server's errors. */
export function RefusedDialog({
  title,
  messages,
  onClose,
}: {
  title: string
  messages: string[]
  onClose: () => void
}) {
  return (
    <Dialog
      small
      open={messages.length > 0}
      onClose={onClose}
      title={title}
      foot={
        <Button variant="primary" onClick={onClose}>
          {say('Ok')}
        </Button>
      }
    >
      <div role="alert" className="stack gap-2">
        {messages.map((message) => (
          <p key={message}>{sayLines(message)}</p>
        ))}
      </div>
    </Dialog>
  )
}
