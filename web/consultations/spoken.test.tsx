import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { DAY } from '#contract/time.ts'
import { sampleConsultation, samplePaid, samplePet, sampleRoom } from '#test/samples.ts'
import { visit } from '../test/visit.tsx'
import { speak } from '../ui/say.ts'
import { CheckIn } from '../aftercare/check-in.tsx'
import { Cancelled, Ended } from './ended.tsx'
import { InProgress } from './in-progress.tsx'
import { OwnClinicDialog } from '../aftercare/own-clinic-dialog.tsx'
import { StartConsultDialog } from './start-consult-dialog.tsx'
import { Waiting } from './waiting.tsx'

const SOON = new Date(Date.now() + DAY).toISOString()
const BACK = { refunded: 450_00, on_its_way: 450_00 } as const
const ADVICE = { at: SOON, summary: 'summary', plan: 'plan', watch_for: 'watch', go_if: 'go' }

beforeEach(() => {
  sessionStorage.setItem('draft:consult', '{"pet":"1","checked":"1:none"}')
  // A language in which every sentence is in brackets.
  speak(new Proxy({}, { get: (_, english) => `⟦${String(english)}⟧` }), 'zu')
})
afterEach(() => speak({}, 'en-GB'))

function show(shown: ReactNode) {
  const pets = [samplePet(1, 'Bibi'), samplePet(2, 'Max')]
  const record = { weights: [], facts: [], none: [] }
  visit(
    '/',
    '/',
    () => shown,
    (path) => (path.includes('/record') ? record : pets),
  )
}

/** Text outside brackets, and attributes without brackets. */
function unsaid() {
  let deep = 0
  let left = ''
  for (const letter of document.body.innerText) {
    if (letter === '⟦') deep++
    if (deep === 0) left += letter
    if (letter === '⟧') deep--
  }
  const attributes = [...document.body.querySelectorAll('[aria-label], [placeholder], img[alt]')].flatMap(
    (one) => ['aria-label', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? ''),
  )
  return [...left.split('\n'), ...attributes.filter((words) => !words.startsWith('⟦'))]
    .map((words) => words.replace(/[\d\s:,.·•–-]+/g, ' ').trim())
    .filter((words) => /\p{L}{2}/u.test(words))
}

it.each<[string, ReactNode, RegExp]>([
  [
    'who waits in the queue',
    <Waiting
      key="queue"
      room={sampleRoom(7, 'Bibi', { vet_name: null, vet_start: null, paid: samplePaid() })}
      waiting={{ place: 2, minutes: [4, 9], next: null, promised_by: SOON, late: false }}
      face={null}
      onWrite={() => {}}
      onPhoto={() => {}}
    />,
    /^(He is flat|thabo@example com)$/,
  ],
  [
    'who waits too long',
    <Waiting
      key="late"
      room={sampleRoom(7, 'Bibi', {
        vet_name: null,
        vet_start: null,
        paid: samplePaid({ ...BACK, why: 'late' }),
      })}
      waiting={{ place: 1, minutes: null, next: null, promised_by: SOON, late: true }}
      face={null}
      onWrite={() => {}}
      onPhoto={() => {}}
    />,
    /^(He is flat|thabo@example com)$/,
  ],
  [
    'whose consult has ended',
    <Ended key="ended" room={sampleRoom(7, 'Bibi', { end: SOON, advice: ADVICE, follow_up_until: SOON })} />,
    /^(summary|plan|watch|go|Dr Naledi Demo|ND)$/,
  ],
  [
    'who cancelled',
    <Cancelled
      now={false}
      key="cancelled"
      room={sampleRoom(7, 'Bibi', { cancelled: true, paid: samplePaid({ ...BACK, why: 'cancelled' }) })}
      back={{ href: '/', name: 'VetChat' }}
    />,
    /^VetChat$/,
  ],
  [
    'who is asked a day later how the pet is',
    <CheckIn
      key="later"
      room={sampleRoom(7, 'Bibi', {
        end: SOON,
        follow_up_until: SOON,
        check_in: { asked: true, answer: 'worse', at: SOON },
      })}
    />,
    /^$/,
  ],
  [
    'whose consult continues',
    <InProgress key="on" consultation={sampleConsultation(7, 'Bibi')} />,
    /^“He is flat”$/,
  ],
  [
    'who looks for their own clinic',
    <OwnClinicDialog key="clinic" room={sampleRoom(7, 'Bibi')} onClose={() => {}} />,
    /^$/,
  ],
  [
    'who asks a vet',
    <StartConsultDialog
      key="asks"
      type={1}
      open={[]}
      onClose={() => {}}
      onAddPet={() => {}}
      onText={() => {}}
    />,
    /^(Bibi|Max)$/,
  ],
])('an owner %s reads every sentence in another language', async (_, shown, people) => {
  show(shown)
  await expect.element(page.getByText(/⟦.+⟧/).first()).toBeVisible()
  if (people.test('Max')) await expect.element(page.getByText('Max')).toBeVisible()
  expect(unsaid().filter((words) => !people.test(words))).toEqual([])
})
