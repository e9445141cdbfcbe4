import { expect, it } from 'vitest'
import * as z from 'zod'
import { push } from '#contract/call.ts'
import { settings } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { transaction, type World } from './context.ts'

const news = push('news', z.object({}))
const world = await createWorld()

/** A ctx that records the messages it sends. */
function listening() {
  const left: string[] = []
  const ctx: World = {
    ...world.world,
    tell: (room) => void left.push(`tell ${room}`),
    hangUp: (room) => void left.push(`hang up ${room}`),
    wake: () => void left.push('wake'),
  }
  return { ctx, left }
}
const keys = async () => (await world.db.select().from(settings)).map((row) => row.key)

it('a failed transaction leaves no row and sends nothing', async () => {
  const { ctx, left } = listening()
  const work = transaction(ctx, async (ctx) => {
    await ctx.db.insert(settings).values({ key: 'a', value: 1 })
    ctx.tell('room', news, {})
    ctx.hangUp('room')
    ctx.wake()
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect([await keys(), left]).toEqual([[], []])
})

it('a transaction sends its messages after the commit, in order, with those of a nested one', async () => {
  const { ctx, left } = listening()
  await transaction(ctx, async (ctx) => {
    await transaction(ctx, async (ctx) => {
      await ctx.db.insert(settings).values({ key: 'b', value: 1 })
      ctx.tell('inner', news, {})
    })
    await transaction(ctx, async (ctx) => {
      await ctx.db.insert(settings).values({ key: 'lost', value: 1 })
      ctx.tell('lost', news, {})
      throw new Error('only the inner one')
    }).catch(() => {})
    ctx.tell('outer', news, {})
    expect(left).toEqual([])
  })
  expect([await keys(), left]).toEqual([['b'], ['tell inner', 'tell outer']])
})
