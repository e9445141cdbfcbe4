import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { emptyOwnOutbox, openOutbox } from '../chat/outbox.ts'
import { mount } from '../test/mount.tsx'
import { refuse } from '../test/turns.ts'
import { answerCalls } from '../test/visit.tsx'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { useUnsentElsewhere } from './unsent-elsewhere.ts'

const [LEFT, SHOWN] = [907, 908]
let end = () => {}
function Queue() {
  const [ids, setIds] = useState([LEFT])
  end = () => setIds([])
  const { refused } = useUnsentElsewhere(ids, SHOWN)
  return <p>{`${ids.length} open, ${refused.size} refused`}</p>
}

beforeEach(emptyOwnOutbox)

it('a message in a case that has just ended is a draft again, and the vet is told [CON-3] [CON-6]', async () => {
  const late = Promise.withResolvers<Response>()
  const sent = answerCalls((path) => (path.endsWith(`/${LEFT}/messages`) ? late.promise : {}))
  const ignore = () => {}
  openOutbox({ consultation: LEFT, isOnline: () => false, changed: ignore, stored: ignore }).send(
    'Give her water',
  )
  mount(
    <AlertProvider>
      <Queue />
    </AlertProvider>,
  )
  await expect.poll(() => sent.some(([path]) => path.endsWith(`/${LEFT}/messages`))).toBe(true)
  end()
  await expect.element(page.getByText('0 open, 0 refused')).toBeVisible()
  late.resolve(await refuse('CONSULT_ENDED')())
  await expect.element(page.getByRole('alert').getByText(/Consult 907 had ended before/)).toBeVisible()
  await expect.element(page.getByText('0 open, 1 refused')).toBeVisible()
  expect(sessionStorage.getItem(`draft:room:${LEFT}`)).toBe('Give her water')
})
