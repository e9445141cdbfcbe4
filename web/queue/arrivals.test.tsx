import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { flushSync } from 'react-dom'
import { beforeEach, expect, it, type MockInstance, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Consultation } from '#contract/consultations.ts'
import { minutesAgo, sampleConsultation } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { choose } from '../lib/session.ts'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { Emergencies, useHandedOver } from './arrivals.tsx'
import { currentUser } from '../lib/current-user.ts'

const FROM = 'Dr Pieter Sample'
const one = (id: number, name: string, change: Partial<Consultation> = {}) =>
  sampleConsultation(id, name, { vet_start: minutesAgo(1), vet_name: 'Dr Naledi Demo', ...change })

let own: Consultation[] = []
let tones: MockInstance<OscillatorNode['start']>
const pitches = () => (tones.mock.contexts as OscillatorNode[]).map(({ frequency }) => frequency.value)
beforeEach(() => {
  own = [one(1, 'Otis', { handed_over_by: FROM })]
  answerCalls(() => ({ id: 3, consultations: own }))
  tones = vi.spyOn(OscillatorNode.prototype, 'start')
  choose({ sound: true })
})

function Ears({ inCall }: { inCall: boolean }) {
  useHandedOver(inCall)
  const client = useQueryClient()
  const { isSuccess } = useQuery(currentUser)
  // Nothing is new to a page that is still loading.
  if (!isSuccess) return null
  return (
    <button type="button" onClick={() => void client.invalidateQueries()}>
      Look again
    </button>
  )
}
const listen = (inCall = false) =>
  mount(
    <AlertProvider>
      <Ears inCall={inCall} />
    </AlertProvider>,
  )

/** The vet's cases are these from now on. */
async function become(...cases: Consultation[]) {
  const button = page.getByRole('button', { name: 'Look again' })
  await expect.element(button).toBeVisible()
  own = cases
  await button.click()
}
const said = (role: 'status' | 'alert', words: string) =>
  expect.element(page.getByRole(role).getByText(words)).toBeVisible()

it('a case that a colleague hands over sounds like one that arrives and is announced, each time it comes [VET-3] [CON-6]', async () => {
  listen()
  await become(one(1, 'Otis', { handed_over_by: FROM }), one(2, 'Rex', { handed_over_by: FROM }))
  await said('status', 'Dr Pieter Sample handed Rex’s case to you.')
  expect(pitches()).toEqual([660, 880])
  const again = minutesAgo(0)
  await become(one(2, 'Rex', { handed_over_by: 'Dr Anika Naidoo', vet_start: again }))
  await said('status', 'Dr Anika Naidoo handed Rex’s case to you.')
  expect(pitches()).toEqual([660, 880, 660, 880])
  // A case that the vet takes isn't announced.
  await become(one(3, 'Kiwi'), one(4, 'Luna', { handed_over_by: FROM }))
  await said('status', 'Dr Pieter Sample handed Luna’s case to you.')
  expect(pitches()).toHaveLength(6)
})

it('a case that the vet takes makes no sound [VET-3]', async () => {
  listen()
  await become(one(3, 'Kiwi'))
  await become(one(3, 'Kiwi', { handed_over_by: FROM, vet_start: minutesAgo(0) }))
  await said('status', 'Dr Pieter Sample handed Kiwi’s case to you.')
  expect(pitches()).toEqual([660, 880])
})

it('a case that is handed over during a call is announced without a sound [VET-3] [CON-5]', async () => {
  listen(true)
  await become(one(2, 'Rex', { handed_over_by: FROM }))
  await said('status', 'Dr Pieter Sample handed Rex’s case to you.')
  expect(pitches()).toEqual([])
})

it('an emergency that is handed over rings during a call and with the arrival sound off [TRI-3]', async () => {
  choose({ sound: undefined })
  listen(true)
  await become(one(2, 'Rex', { handed_over_by: FROM, urgency: { level: 'emergency', why: 'no urine' } }))
  await said('alert', 'Dr Pieter Sample handed Rex’s case to you.')
  await said('alert', 'Rex is an emergency.')
  expect(pitches().slice(0, 3)).toEqual([1047, 784, 1047])
})

it("a vet's own case that becomes an emergency rings, except the one that they are in and one that they take [TRI-3]", async () => {
  let become = (_now: Pick<ComponentProps<typeof Emergencies>, 'own' | 'entered'>) => {}
  function Page() {
    const [now, set] = useState<Parameters<typeof become>[0]>({ own: undefined })
    become = (now) => flushSync(() => set(now))
    return <Emergencies waiting={[]} asked={[]} {...now} />
  }
  mount(<Page />)
  await expect.element(page.getByRole('alert').first()).toBeInTheDocument()
  const worse = { urgency: { level: 'emergency' as const, why: 'can’t breathe' } }
  become({ own: [one(5, 'Otis'), one(6, 'Rex')], entered: 5 })
  become({ own: [one(5, 'Otis', worse), one(6, 'Rex'), one(7, 'Kiwi', worse)], entered: 5 })
  become({ own: [one(5, 'Otis', worse), one(6, 'Rex'), one(7, 'Kiwi', worse)], entered: 6 })
  expect(pitches()).toEqual([])
  become({ own: [one(5, 'Otis', worse), one(6, 'Rex', worse), one(7, 'Kiwi', worse)], entered: 5 })
  await expect.element(page.getByText('Emergency: Rex, can’t breathe')).toBeInTheDocument()
  expect(pitches().slice(0, 3)).toEqual([1047, 784, 1047])
})

it('each emergency that waits or is asked after the end rings once, and none that was there before [TRI-3]', async () => {
  let become = (_now: ComponentProps<typeof Emergencies>) => {}
  function Page() {
    const [now, set] = useState<ComponentProps<typeof Emergencies>>({
      waiting: undefined,
      asked: [],
      own: [],
    })
    become = (now) => flushSync(() => set(now))
    return <Emergencies {...now} />
  }
  mount(<Page />)
  await expect.element(page.getByRole('alert').first()).toBeInTheDocument()
  const urgency = { level: 'emergency' as const, why: 'no urine' }
  const waiting = [one(5, 'Otis', { urgency })]
  const asked = (asked_at: string) => [{ consultation: one(6, 'Rex', { urgency }), asked_at, vet_id: null }]
  const [first, again] = [asked(minutesAgo(5)), asked(minutesAgo(0))]
  become({ waiting, asked: [], own: [] })
  expect(pitches()).toEqual([])
  become({ waiting, asked: first, own: [] })
  await expect.element(page.getByText('Emergency: Rex, no urine')).toBeInTheDocument()
  const rung = pitches().length
  become({ waiting: [...waiting], asked: [...first], own: [] })
  become({ waiting, asked: [], own: [] })
  expect(pitches()).toHaveLength(rung)
  become({ waiting, asked: again, own: [] })
  expect(pitches()).toHaveLength(2 * rung)
})
