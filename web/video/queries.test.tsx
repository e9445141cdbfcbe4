import { expect, it, vi } from 'vitest'
import { joinCall, leaveCall } from './queries.ts'

const asked = vi.hoisted(() => [] as { event: string; answer: () => void }[])

vi.mock('../lib/live.ts', () => ({
  ask: ({ event }: { event: string }) =>
    new Promise((resolve) => asked.push({ event, answer: () => resolve({}) })),
}))

it('a vet who leaves a call and rings straight away starts a new ring [CON-5]', async () => {
  const [own, next] = ['the-page-before', 'the-next-page'].map((device) => ({ consultation: 7, device }))
  void leaveCall(own!)
  void joinCall(next!)
  await expect.poll(() => asked.length).toBe(1)
  asked[0]!.answer()
  await expect.poll(() => asked.map(({ event }) => event)).toEqual(['leaveCall', 'joinCall'])
})
