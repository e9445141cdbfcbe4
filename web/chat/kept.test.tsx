import { expect, it } from 'vitest'
import { DAY } from '#contract/time.ts'
import { KEPT } from '../lib/device.ts'
import { endSession, signIn, signOut } from '../lib/session.ts'
import { keptOf, openKept } from './kept.ts'

const tokenOf = (sid: string) =>
  `x.${btoa(JSON.stringify({ kind: 'user', sid, exp: Date.now() / 1000 + 900 }))}.x`
const databases = async () => (await indexedDB.databases()).map(({ name }) => name)

/** As a room stores it. */
const store = (record: { id: number; session: string; at: number }) =>
  new Promise<void>((resolve) => {
    const opening = indexedDB.open(KEPT.database, 1)
    opening.addEventListener('upgradeneeded', () =>
      opening.result.createObjectStore(KEPT.store, { keyPath: 'id' }),
    )
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction(KEPT.store, 'readwrite')
      transaction.objectStore(KEPT.store).put({ ...record, messages: [], marks: [], more: false })
      transaction.addEventListener('complete', () => (opening.result.close(), resolve()))
    })
  })

it('a stored conversation can be read by the session that stored it, for seven days [SHL-10]', async () => {
  signIn(tokenOf('mine'), true)
  await expect.poll(databases).not.toContain(KEPT.database)
  await store({ id: 1, session: 'mine', at: Date.now() })
  await store({ id: 2, session: 'theirs', at: Date.now() })
  await store({ id: 3, session: 'mine', at: Date.now() - 7 * DAY - 1000 })
  await openKept(1)
  expect(keptOf(1)).toMatchObject({ id: 1, session: 'mine' })
  expect(keptOf(2)).toBeUndefined()
  for (const id of [2, 3]) {
    await openKept(id)
    expect(keptOf(id)).toBeUndefined()
  }
})

it.each([
  ['signing out', signOut],
  ['a session that is refused', endSession],
  ['signing in as somebody else', () => signIn(tokenOf('another'), true)],
])('%s deletes every stored conversation [SHL-10]', async (_, act) => {
  signIn(tokenOf('mine'), true)
  await expect.poll(databases).not.toContain(KEPT.database)
  await store({ id: 1, session: 'mine', at: Date.now() })
  expect(await databases()).toContain(KEPT.database)
  act()
  await expect.poll(databases).not.toContain(KEPT.database)
})
