import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { USER_TYPES, type User } from '#contract/accounts.ts'
import type { Room } from '#contract/consultations.ts'
import { DAY } from '#contract/time.ts'
import { sampleRoom } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { choose } from '../lib/session.ts'
import { Case } from './console-case.tsx'
import { lastSaid } from './queries.ts'

const vet = { id: 3, type: USER_TYPES.vet, lastName: 'Demo' } as User

function show(room: Room) {
  answerCalls(() => ({ messages: [], marks: [], more: false }))
  mount(<Shown room={room} />)
}

const Shown = ({ room, noting = false }: { room: Room; noting?: boolean }) => (
  <Case
    room={room}
    record={undefined}
    noting={noting}
    onNoting={() => {}}
    onEnd={() => {}}
    user={vet}
    box={{ current: null }}
    entered={false}
    onEnter={() => {}}
    taking={false}
    singleKeys={false}
    lost={undefined}
    onTake={() => {}}
    call={undefined}
    ringing={false}
    onVideo={() => {}}
    onHandOver={() => {}}
    onRecord={() => {}}
  />
)

/** What the queue shows of a case, without asking again every few seconds. */
function Row() {
  const { data } = useQuery({ ...lastSaid(7), refetchInterval: false })
  return <p data-testid="row">{data?.messages.at(-1)?.body}</p>
}

it('a vet whose clock is days ahead can still answer a follow-up [CON-6]', async () => {
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 3 * DAY)
  choose({ clock: -3 * DAY })
  const in1Day = new Date(now + DAY).toISOString()
  show(sampleRoom(7, 'Simba', { end: new Date(now).toISOString(), follow_up_until: in1Day }))
  await expect.element(page.getByRole('button', { name: 'Send to the owner' })).toBeVisible()
  await expect.element(page.getByText('This consult has ended.')).not.toBeInTheDocument()
})

it.each([
  [{ goes_on_in: 9 }, 'Open the new one'],
  [{ goes_on_from: 9 }, 'Open the earlier one'],
])('a vet can get from a reopened consult to the other one: %o [CON-8]', async (change, name) => {
  show(sampleRoom(7, 'Simba', change))
  await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', '/text-chat/9')
})

it('a reply appears in the case’s row as soon as it’s stored, and opening the case doesn’t read the row again [CON-6]', async () => {
  const said = (seq: number, user_id: number, body: string, client_id = `client-${seq}`) => ({
    seq,
    client_id,
    user_id,
    body,
    attachment: null,
    at: new Date().toISOString(),
  })
  const messages = [said(1, 1, 'She drank'), said(2, vet.id, 'Good')]
  let wholeReads = 0
  answerCalls((path, sent) => {
    if (!sent) {
      if (!path.includes('after=')) wholeReads++
      return { messages, marks: [], more: false }
    }
    const { body, client_id } = sent as { client_id?: string; body: string }
    if (path.endsWith('/messages')) messages.push(said(3, vet.id, body, client_id))
    return { seq: messages.length, at: messages.at(-1)!.at }
  })
  const room = sampleRoom(7, 'Simba', { vet_id: vet.id, vet_start: new Date().toISOString() })
  function Queue() {
    const [isOpen, setOpen] = useState(false)
    return (
      <>
        <Row />
        {isOpen ? (
          <Shown room={room} />
        ) : (
          <button type="button" onClick={() => setOpen(true)}>
            Open the case
          </button>
        )}
      </>
    )
  }
  mount(<Queue />)
  const row = page.getByTestId('row')
  await expect.element(row).toHaveTextContent('Good')
  await page.getByRole('button', { name: 'Open the case' }).click()
  await expect.element(page.getByRole('log').getByText('Good')).toBeVisible()
  await page.getByRole('textbox').fill('How much?')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(row).toHaveTextContent('How much?')
  // The row's, the conversation's, and the row's after the reply.
  expect(wholeReads).toBe(3)
})

it('a very long pet’s name leaves room for its owner’s [CON-6]', async () => {
  await page.viewport(1024, 768)
  show(sampleRoom(7, 'Sir Barksalot Wellington Montgomery of the Upper Constantia Valley '.repeat(2)))
  const heading = page.getByRole('heading', { level: 2 })
  await expect.element(heading).toBeVisible()
  const owner = heading.element().lastElementChild!
  expect(owner.textContent).toMatch(/^with .+, 7$/)
  expect(owner.scrollWidth).toBeLessThanOrEqual(owner.clientWidth)
  const { left, right } = heading.element().getBoundingClientRect()
  expect(owner.getBoundingClientRect().left).toBeGreaterThan(left)
  expect(owner.getBoundingClientRect().right).toBeLessThanOrEqual(right + 1)
})

it('Ctrl Enter adds a private note [CON-6]', async () => {
  const sent = answerCalls((_, body) =>
    body ? { id: 1, at: new Date().toISOString() } : { messages: [], marks: [], more: false },
  )
  mount(<Shown noting room={sampleRoom(7, 'Simba', { vet_id: vet.id })} />)
  await page.getByLabelText('Private, only vets see this').fill('Owner is a nurse')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  const notes = () => sent.flatMap(([path, body]) => (path.endsWith('/private-note') ? [body] : []))
  await expect.poll(notes).toEqual([{ body: 'Owner is a nurse' }])
})
