import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Room } from '#contract/consultations.ts'
import type { Flag } from '#contract/urgency.ts'
import { minutesAgo, samplePaid, sampleRoom } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { Cancelled } from './ended.tsx'
import { Waiting } from './waiting.tsx'

const waiting = {
  place: 1,
  minutes: [2, 5] as [number, number],
  next: null,
  promised_by: minutesAgo(-10),
  late: false,
}
const waits = (change: Partial<Room>) =>
  sampleRoom(7, 'Simba', {
    vet_id: null,
    vet_name: null,
    vet_start: null,
    waiting,
    paid: samplePaid(),
    ...change,
  })

let leave = () => {}
let signs: object[] = []
beforeEach(() => {
  signs = []
  answerCalls((path) => (path.includes('/record') ? { weights: [], facts: [], none: [] } : signs))
})
const show = (room: Room) =>
  (leave = mount(<Waiting room={room} waiting={waiting} face={null} onWrite={() => {}} onPhoto={() => {}} />))
const says = (words: string) => expect.element(page.getByText(words, { exact: false })).toBeVisible()
const askToCancel = () => page.getByRole('button', { name: /^Cancel/ }).click()
const NOT_REFUNDED = 'A vet has already answered, so we can’t refund this automatically.'

it("the page says before the press that a consult that a vet has answered isn't refunded automatically [SAF-7]", async () => {
  show(waits({ had_vet: true, answered: true }))
  await says('A vet has already answered, so this isn’t refunded automatically')
  expect(page.getByText('refund your', { exact: false }).query()).toBeNull()
  await askToCancel()
  await says(NOT_REFUNDED)
  await expect.element(page.getByRole('link', { name: 'Write to us' })).toHaveAttribute('href', '/contact')
})

it('the page shows the signs of an emergency that public pages show, and who reviewed them [CON-13]', async () => {
  show(waits({}))
  await page.getByText('When not to wait for us').click()
  await says('If Simba gets worse or you’re in doubt, don’t wait for us')
  leave()
  const reviewed = { by: 'Dr Anika Naidoo', at: minutesAgo(9) }
  signs = [{ item: 'signs', lines: ['Collapsed'], reviewed }]
  show(waits({}))
  await page.getByText('When not to wait for us').click()
  await says('Reviewed by Dr Anika Naidoo')
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Collapsed' })).toBeVisible()
})

it('the page tells an owner in an emergency of vets on duty only while there are any [TRI-3] [CON-13]', async () => {
  const flag: Flag = { level: 'emergency', told: 'collapsed', reason: '', advice: [], reviewed: null }
  show(waits({ flag }))
  await says('You told us “collapsed”. Vets on duty see Simba before cases that can wait.')
  leave()
  show(waits({ flag, waiting: { ...waiting, minutes: null } }))
  await says('You told us “collapsed”. The next vet on duty will see Simba before cases that can wait.')
  expect(page.getByText('Vets on duty', { exact: false }).query()).toBeNull()
})

describe('a flag', () => {
  const emergency: Flag = { level: 'emergency', told: 'collapsed', reason: '', advice: [], reviewed: null }
  let setFlag: (flag: Flag) => void = () => {}
  function show(first: Flag | null) {
    function Room() {
      const [flag, set] = useState(first)
      setFlag = set
      return (
        <div data-testid="list" style={{ height: 400, overflowY: 'auto' }}>
          <div style={{ height: 800 }} />
          <Waiting
            room={waits({ flag })}
            waiting={waiting}
            face={null}
            onWrite={() => {}}
            onPhoto={() => {}}
          />
        </div>
      )
    }
    leave = mount(<Room />)
  }
  const title = (words: string) => page.getByText(words)

  it('a flag raised by what the owner writes further down scrolls into view, and so does one that becomes more urgent [TRI-3]', async () => {
    show(null)
    const last = page.getByRole('button', { name: /^Cancel/ })
    await expect.element(last).toBeVisible()
    last.element().scrollIntoView()
    await expect.element(last).toBeInViewport()
    setFlag({ ...emergency, level: 'urgent' })
    await expect.element(title('Flagged as urgent')).toBeInViewport()
    last.element().scrollIntoView()
    await expect.element(last).toBeInViewport()
    setFlag(emergency)
    await expect.element(title('Flagged as an emergency')).toBeInViewport()
    await expect.element(title('Go to a clinic now.')).toBeInViewport()
  })

  it('a flag that was there before the page doesn’t scroll it [TRI-3]', async () => {
    show(emergency)
    await expect.element(title('Flagged as an emergency')).toBeInTheDocument()
    setFlag({ ...emergency, told: 'not breathing' })
    await expect.element(page.getByText('You told us “not breathing”', { exact: false })).toBeInTheDocument()
    expect(page.getByTestId('list').element().scrollTop).toBe(0)
  })
})

it('the page promises the refund for cancelling, even after a vet took the consult and left it without a word [SAF-7]', async () => {
  show(waits({ had_vet: true, answered: false }))
  await says('Until a vet joins, with your R450 refunded straight away')
  // Only an owner whom no vet has joined yet is refunded for waiting.
  expect(page.getByText('refund your', { exact: false }).query()).toBeNull()
  await askToCancel()
  await says('You’ll leave the queue')
  await says('We’ll refund your R450 straight away.')
  expect(page.getByText(NOT_REFUNDED, { exact: false }).query()).toBeNull()
  leave()
  show(waits({ had_vet: false, answered: false }))
  await says('refund your R450 automatically and keep your place')
})

it('the page says the same to a member and after a refund: there is nothing to refund [SAF-7]', async () => {
  for (const nothing of [null, samplePaid({ refunded: 450_00, why: 'late' })]) {
    show(waits({ had_vet: true, answered: true, paid: nothing }))
    await says('At no cost, until a vet joins')
    expect(page.getByText('A vet has already answered', { exact: false }).query()).toBeNull()
    leave()
  }
})

it('the page tells somebody who cancelled after an answer whom to write to [SAF-7]', async () => {
  const room = waits({ waiting: null, cancelled: true, had_vet: true, answered: true })
  leave = mount(<Cancelled room={room} back={{ href: '/', name: 'VetChat' }} now={false} />)
  await says(NOT_REFUNDED)
  expect(page.getByText('No vet had joined', { exact: false }).query()).toBeNull()
})

it('the page never promises more than the wait above it allows [CON-13]', async () => {
  const shows = (minutes: [number, number] | null, change: Partial<Room> = {}) => {
    leave()
    const room = waits({ had_vet: false, answered: false, ...change })
    leave = mount(
      <Waiting
        room={room}
        waiting={{ ...waiting, minutes }}
        face={null}
        onWrite={() => {}}
        onPhoto={() => {}}
      />,
    )
  }
  shows([3, 8])
  await says('We promise a vet by')
  // A screen reader says a new place, not every new minute.
  await expect.element(page.getByText('3 to 8 minutes')).toHaveAttribute('aria-live', 'off')
  shows([3, 32])
  await says('It may take longer than we promise')
  await says('Then we’ll refund your R450 automatically and keep your place.')
  shows([3, 32], { paid: null })
  await says('You’ll keep your place.')
  shows([13, 32])
  await says('It will probably take longer than we promise')
  expect(page.getByText('We promise a vet', { exact: false }).query()).toBeNull()
  shows(null)
  await says('No vet is on duty right now')
  await says('we’ll refund your R450 automatically')
  expect(page.getByText('promise', { exact: false }).query()).toBeNull()
})

it('the page names the day of a promise from yesterday [CON-13]', async () => {
  const late = { ...waiting, late: true, promised_by: minutesAgo(24 * 60) }
  mount(<Waiting room={waits({})} waiting={late} face={null} onWrite={() => {}} onPhoto={() => {}} />)
  await expect
    .element(page.getByText(/We promised a vet by \w{3} \d+ \w+(?: \d+)?, \d\d:\d\d\./))
    .toBeVisible()
})
