import { useRef, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { VideoCall } from '#contract/video.ts'
import { mount } from '../test/mount.tsx'
import { useOwnerCall } from './owner-call.tsx'

const heard = vi.hoisted(() => [] as ((told: object) => void)[])

vi.mock('../lib/live.ts', () => ({
  on(_: unknown, listen: (told: object) => void) {
    heard.push(listen)
    return () => void heard.splice(heard.indexOf(listen), 1)
  },
  ask: async () => ({ call: null }),
}))

const ringing: VideoCall = {
  id: 1,
  vet: 'Dr Naledi Demo',
  rung_at: new Date().toISOString(),
  answered_at: null,
  owner_device: null,
  vet_device: 'the-vets-page',
}
const ring = () => page.getByRole('alertdialog', { name: 'Dr Naledi Demo is calling you' })

/** Answers this page's requests about the call, in their order. */
const asked: ((call: VideoCall | null) => void)[] = []
const answerNext = async (call: VideoCall | null) => {
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  asked.shift()!(call)
}

/** Tells the room whether the vet’s page is open. */
let setVetHere: (here: boolean) => void = () => {}
/** Tells the room which vet has the consult. */
let setVet: (vet: number | null) => void = () => {}
function show(joins: number) {
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((resolve) =>
        asked.push((call) => resolve(Response.json({ call, ice_servers: [], relay_only: false }))),
      ),
  )
  function Room() {
    const [vet, set] = useState<number | null>(3)
    setVet = set
    const [vetHere, setHere] = useState(true)
    setVetHere = setHere
    const box = useRef<HTMLTextAreaElement>(null)
    const { banner, extra } = useOwnerCall({
      consultation: 7,
      pet: 'Bella',
      isOpen: vet !== null,
      opensCheck: false,
      vet,
      vetHere,
      joins,
      onPhoto: () => {},
      onSay: () => {},
      box,
    })
    return (
      <>
        <textarea ref={box} aria-label="Message to the vet" />
        {banner}
        {extra}
      </>
    )
  }
  mount(<Room />)
}
afterEach(() => (asked.length = heard.length = 0))

it('the page shows a ring that began before the page had joined the room [CON-5]', async () => {
  show(1)
  await answerNext(null)
  await answerNext(ringing)
  await expect.element(ring()).toBeVisible()
})

it('the page shows a ring that arrives while an older answer is on its way [CON-5]', async () => {
  show(0)
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  await expect.poll(() => asked.length).toBe(1)
  heard.forEach((listen) => listen({ consultation: 7, call: ringing }))
  await answerNext(null)
  await answerNext(ringing)
  await expect.element(ring()).toBeVisible()
})

it('the page shows the ring of the next vet before it knows that this vet took the consult [CON-5]', async () => {
  show(0)
  await answerNext(null)
  setVet(null)
  await answerNext(null)
  await expect.poll(() => heard.length).toBe(1)
  heard.forEach((listen) => listen({ consultation: 7, call: ringing }))
  setVet(4)
  await answerNext(ringing)
  await expect.element(ring()).toBeVisible()
})

it('a ring gets the focus unless the owner is writing, and stays above their keyboard [CON-5]', async () => {
  const root = document.documentElement
  show(1)
  await answerNext(null)
  await answerNext(ringing)
  await expect.element(ring()).toHaveFocus()
  root.style.setProperty('--visible-height', '300px')
  await expect.poll(() => ring().element().getBoundingClientRect().bottom).toBeLessThan(300)
  root.style.removeProperty('--visible-height')
  await page.getByRole('button', { name: 'Not now' }).click()

  await expect.element(page.getByLabelText('Message to the vet')).toHaveFocus()
  heard.forEach((listen) => listen({ consultation: 7, call: null }))
  await expect.element(ring()).not.toBeInTheDocument()
  heard.forEach((listen) => listen({ consultation: 7, call: { ...ringing, id: 2 } }))
  await expect.element(ring()).toBeVisible()
  await expect.element(page.getByLabelText('Message to the vet')).toHaveFocus()
})

it('a declined ring leads to the message box [CON-5]', async () => {
  show(1)
  await answerNext(null)
  await answerNext(ringing)
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect.element(ring()).not.toBeInTheDocument()
  await expect.element(page.getByLabelText('Message to the vet')).toHaveFocus()
})

it('the vet is in the call only while their page is open, and otherwise the call is [CON-5]', async () => {
  show(0)
  await answerNext({ ...ringing, answered_at: ringing.rung_at })
  await expect.element(page.getByText('Dr Naledi Demo is still in the call.')).toBeVisible()
  setVetHere(false)
  await expect.element(page.getByText('Your call is still open.')).toBeVisible()
  await expect.element(page.getByText('is still in the call')).not.toBeInTheDocument()
})
