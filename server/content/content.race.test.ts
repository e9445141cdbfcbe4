import { expect, it } from 'vitest'
import { getContent, publishContent, saveDraft } from '#contract/content.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

it('of eight admins who publish at the same time, one does and the others are told [ADM-2]', async () => {
  const named = { kind: 'question', item: 'what-does-it-cost' } as const
  const admins = await Promise.all(Array.from({ length: 8 }, () => world.admin()))
  const { live } = await admins[0]!.call(getContent, named)
  for (const [n, admin] of admins.entries())
    await admin.call(saveDraft, { ...named, words: { ...live!, answer: `Answer ${n}` }, based_on: 0 })
  const replies = await Promise.all(
    admins.map((admin) => admin.send(publishContent, { ...named, based_on: 0 })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
  const winner = replies.findIndex(({ status }) => status === 200)
  const after = await admins[0]!.call(getContent, named)
  expect(after.live!['answer']).toBe(`Answer ${winner}`)
  expect(after.versions.map(({ number }) => number)).toEqual([1, 0])
})
