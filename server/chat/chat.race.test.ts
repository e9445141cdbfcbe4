import { expect, it } from 'vitest'
import { readMessages, sendMessageByCall } from '#contract/chat.ts'
import { atOnce } from '#test/at-once.ts'
import { createWorld } from '#test/world.ts'

it('when instances write in parallel, message numbers stay unique and in order, and a repeat is stored once [CON-2]', async () => {
  const world = await createWorld()
  const second = await createWorld({ database: world.database })
  const rooms = await atOnce(3, async () => {
    const owner = await world.member()
    const row = await world.consultOf(owner)
    return { owner, elsewhere: second.nobody.with(owner.token), consultation: row.id }
  })
  const sent = rooms.flatMap(({ owner, elsewhere, consultation }, room) =>
    Array.from({ length: 20 }, (_, at) => {
      const message = { consultation, client_id: `race-${room}-${at}`, body: `${at}` }
      // Every fourth is sent to both, as by a phone that lost the answer.
      const by = at % 4 === 0 ? [owner, elsewhere] : [at % 2 ? owner : elsewhere]
      return Promise.all(by.map((browser) => browser.call(sendMessageByCall, message)))
    }),
  )
  for (const answers of await Promise.all(sent)) expect(new Set(answers.map(({ seq }) => seq)).size).toBe(1)
  for (const { owner, consultation } of rooms) {
    const { messages } = await owner.call(readMessages, { consultation, after: 0 })
    expect(new Set(messages.map(({ client_id }) => client_id)).size).toBe(20)
    expect(messages).toHaveLength(20)
  }
  await second.close()
})
