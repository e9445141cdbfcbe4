import { useEffect, useState } from 'react'
import { listen } from '../ui/listen.ts'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'

/** Pay was pressed without a connection. Nothing is sent later unless the buyer presses again. */
export function OfflineNote({ form, press }: { form: string; press: string }) {
  const [isBack, setBack] = useState(false)
  useEffect(() => listen(window, 'online offline', ({ type }) => setBack(type === 'online')), [])
  return isBack ? (
    <Note tone="info" icon="circle-check" title={say('You’re back online. Nothing was charged.')}>
      <p>{say('Would you like to continue?')}</p>
      <Button type="submit" form={form} variant="primary" className="mt-2">
        {press}
      </Button>
    </Note>
  ) : (
    <Note tone="wait" icon="wifi-off" title={say('No connection. Nothing was charged.')}>
      {say('What you typed is kept. When you’re back online, we’ll ask you before we charge anything.')}
    </Note>
  )
}
