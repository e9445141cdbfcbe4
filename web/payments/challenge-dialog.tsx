import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'
import { answerChallenge } from './queries.ts'

export type Challenged = 'passed' | 'failed'

/** Opens over the page, or over another dialog, and closes with the answer. */
export function askChallenge(clientSecret: string): Promise<Challenged> {
  return new Promise((resolve) => {
    const place = document.body.appendChild(document.createElement('div'))
    const root = createRoot(place)
    const end = (answer: Challenged) => {
      root.unmount()
      place.remove()
      resolve(answer)
    }
    root.render(<ChallengeDialog clientSecret={clientSecret} onAnswer={end} />)
  })
}

/** Stands in for the bank's page. Closing it counts as a refusal. */
function ChallengeDialog({
  clientSecret,
  onAnswer,
}: {
  clientSecret: string
  onAnswer: (answer: Challenged) => void
}) {
  const [sending, setSending] = useState<'confirm' | 'refuse'>()
  const [lost, setLost] = useState(false)

  async function answer(way: 'confirm' | 'refuse') {
    if (sending) return
    setSending(way)
    setLost(false)
    try {
      const { status } = await answerChallenge(clientSecret, way === 'confirm')
      onAnswer(way === 'confirm' && status !== 'requires_payment_method' ? 'passed' : 'failed')
    } catch {
      // A refusal needs no response, because an unconfirmed payment isn't made.
      if (way === 'refuse') onAnswer('failed')
      setSending(undefined)
      setLost(true)
    }
  }

  return (
    <Dialog
      small
      onClose={() => void answer('refuse')}
      title={say('Your bank wants you to confirm')}
      foot={
        <>
          <Button
            variant="primary"
            busy={sending === 'confirm'}
            busyLabel={say('Confirming…')}
            onClick={() => void answer('confirm')}
          >
            {say('Confirm')}
          </Button>
          <Button
            busy={sending === 'refuse'}
            busyLabel={say('Declining…')}
            onClick={() => void answer('refuse')}
          >
            {say('Decline')}
          </Button>
        </>
      }
    >
      <p>
        {say(
          'This stands in for your bank’s own page, because no real payments are made here. Confirm to continue, or decline to see what happens.',
        )}
      </p>
      {lost && (
        <div role="alert">
          <Note tone="bad" title={say('Your answer didn’t get through')}>
            {say('Please try again.')}
          </Note>
        </div>
      )}
    </Dialog>
  )
}
