import { useCallback, useEffect, useState } from 'react'
import { emptyOwnOutbox, type OutboxItem, ownOutbox } from '../chat/outbox.ts'
import { pageMeta } from '../lib/meta.ts'
import { signOut } from '../lib/session.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { say } from '../ui/say.ts'
import { useLogout } from './queries.ts'

export const meta = () => pageMeta(say('Signing out'), say('Signs you out on this device.'))

export default function Logout() {
  const { mutate: logout } = useLogout()
  const [outbox, setOutbox] = useState<OutboxItem[]>([])
  const leave = useCallback(
    // Without a response, this browser still signs out, and the server's session expires later.
    () => logout({}, { onSettled: () => (signOut(), location.replace('/login')) }),
    [logout],
  )
  useEffect(() => {
    void ownOutbox().then((found) => (found.length > 0 ? setOutbox(found) : leave()))
  }, [leave])

  if (outbox.length > 0)
    return <NotSentYet outbox={outbox} onKeep={leave} onDelete={() => void emptyOwnOutbox().then(leave)} />
  return (
    <section className="section">
      <div className="wrap stack gap-2 text-center">
        <h1 className="t28">{say('Signing you out')}</h1>
        <p role="status" className="text-ink-soft">
          {say('One moment.')}
        </p>
      </div>
    </section>
  )
}

/** Warns about unsent messages to a vet before they are deleted. */
function NotSentYet({
  outbox,
  onKeep,
  onDelete,
}: {
  outbox: OutboxItem[]
  onKeep: () => void
  onDelete: () => void
}) {
  return (
    <section className="section">
      <div className="wrap-narrow stack gap-6">
        <div className="stack gap-2">
          <h1 className="t28">
            {outbox.length === 1
              ? say('A message to your vet hasn’t been sent yet')
              : say('{count} messages to your vet haven’t been sent yet', { count: outbox.length })}
          </h1>
          <p className="text-ink-soft">
            {say(
              'Anything unsent is sent automatically while its consult is open on this device and you’re online.',
            )}
          </p>
        </div>
        <Card flush>
          <ul className="divide-y divide-line">
            {outbox.map(({ n, body, file, consultation }) => (
              <li key={n} className="px-5 py-3 lg:px-6">
                <p dir="auto" className="line-clamp-3 [overflow-wrap:anywhere] whitespace-pre-wrap">
                  {file ? file.name : body}
                </p>
                <p className="text-14">
                  <a href={`/text-chat/${consultation}`} className="inline-flex min-h-11 items-center">
                    {say('Open its consult')}
                  </a>
                </p>
              </li>
            ))}
          </ul>
        </Card>
        <div className="flex flex-wrap gap-3">
          <LinkButton variant="primary" href="/myaccount">
            {say('Stay signed in')}
          </LinkButton>
          <Button variant="danger-line" onClick={onDelete}>
            {say('Delete and sign out')}
          </Button>
          <Button onClick={onKeep}>{say('Keep and sign out')}</Button>
        </div>
      </div>
    </section>
  )
}
