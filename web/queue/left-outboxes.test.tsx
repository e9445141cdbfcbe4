import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { emptyOwnOutbox, openOutbox } from '../chat/outbox.ts'
import { mount } from '../test/mount.tsx'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { useLeftOutboxes } from './left-outboxes.ts'

const [LEFT, SHOWN] = [907, 908]
let end = () => {}
function Queue() {
  const [ids, setIds] = useState([LEFT])
  end = () => setIds([])
  const { refused } = useLeftOutboxes(ids, SHOWN)
  return <p>{`${ids.length} open, ${refused.size} refused`}</p>
}

beforeEach(emptyOwnOutbox)

it('a message in a case that has just ended is a draft again, and the vet is told [CON-3] [CON-6]', async () => {
  const { message, status } = ERRORS.CONSULT_ENDED
  let refuse: (() => void) | undefined
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes(`/${LEFT}/messages`)) return Response.json({})
    await new Promise<void>((resolve) => (refuse = resolve))
    return Response.json({ errors: [message], code: 'CONSULT_ENDED' }, { status })
  })
  const ignore = () => {}
  openOutbox({ consultation: LEFT, isOnline: () => false, changed: ignore, stored: ignore }).send(
    'Give her water',
  )
  mount(
    <AlertProvider>
      <Queue />
    </AlertProvider>,
  )
  await expect.poll(() => refuse).toBeDefined()
  end()
  await expect.element(page.getByText('0 open, 0 refused')).toBeVisible()
  refuse!()
  await expect.element(page.getByRole('alert').getByText(/Consult 907 had ended before/)).toBeVisible()
  await expect.element(page.getByText('0 open, 1 refused')).toBeVisible()
  expect(sessionStorage.getItem(`draft:room:${LEFT}`)).toBe('Give her water')
})
