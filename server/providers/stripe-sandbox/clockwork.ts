import { createHmac } from 'node:crypto'
import { DAY, secondsOf } from '#contract/time.ts'
import { areWanted, haveAfterthoughts } from './afterthoughts.ts'
import { shopOf, whimOf, type Place, type Subscription } from './shop.ts'
import { changing, claimDeliveries, dueBy, forget, markDelivered, takeFaults, type Event } from './store.ts'
import { turnOver } from './subscriptions.ts'

/** Sends a signed event to our own endpoint and returns the status of the answer. */
export type Deliver = (body: string, signature: string) => Promise<number>

export const webhookSecret = (secret: Uint8Array) =>
  `whsec_${createHmac('sha256', secret).update('stripe webhook').digest('hex')}`

function signatureOf(body: string, secret: Uint8Array, at: Date): string {
  const seconds = secondsOf(at)
  const mac = createHmac('sha256', webhookSecret(secret)).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

const BATCH = 20
const KEPT_MS = 30 * DAY

export interface SandboxJob {
  name: string
  everyMinutes?: number
  run: () => Promise<number>
}

/** Renews, retries and ends what is due, each at its own time, however far the clock jumped. */
const renewals = (place: Place): SandboxJob => ({
  name: 'provider renewals',
  everyMinutes: 1,
  async run() {
    const now = place.now()
    const due = await dueBy<Subscription>(place.db, 'subscription', now, BATCH)
    if (due.length === 0) return 0
    return changing(place.db, async (db) => {
      // Another instance may have done some of them while this one waited.
      const still = await dueBy<Subscription>(db, 'subscription', now, BATCH)
      for (const subscription of still) {
        const names = ['renewal', `renewal ${subscription.id}`]
        const faults = await takeFaults(db, names, ['decline', 'challenge'])
        const shop = shopOf(place, db, whimOf(faults))
        await turnOver({ ...shop, at: subscription.sandbox.due! }, subscription)
      }
      return still.length
    })
  },
})

const afterthoughts = (place: Place): SandboxJob => ({
  name: 'provider afterthoughts',
  async run() {
    if (!(await areWanted(place.db))) return 0
    return changing(place.db, (db) => haveAfterthoughts(shopOf(place, db)))
  },
})

const deliveries = (place: Place, deliver: Deliver): SandboxJob => ({
  name: 'provider events',
  async run() {
    const claimed = await claimDeliveries(place.db, place.now())
    if (claimed.length === 0) return 0
    const shuffles =
      claimed.length > 1 && (await takeFaults(place.db, [], ['shuffledEvents'])).has('shuffledEvents')
    for (const { id, event } of shuffles ? claimed.toReversed() : claimed) {
      const again = await takeFaults(place.db, [event.type], ['duplicateEvents'])
      for (let times = again.has('duplicateEvents') ? 2 : 1; times > 0; times--)
        if (await arrives(place, deliver, event)) await markDelivered(place.db, id, place.now())
    }
    return claimed.length
  },
})

async function arrives({ now, secret }: Place, deliver: Deliver, event: Event): Promise<boolean> {
  const body = JSON.stringify(event)
  const status = await deliver(body, signatureOf(body, secret, now())).catch(() => 0)
  return status >= 200 && status < 300
}

const cleaning = ({ db, now }: Place): SandboxJob => ({
  name: 'provider cleaning',
  everyMinutes: 24 * 60,
  async run() {
    await forget(db, new Date(now().getTime() - KEPT_MS))
    return 0
  },
})

export const jobsOf = (place: Place, deliver: Deliver): SandboxJob[] => [
  renewals(place),
  deliveries(place, deliver),
  cleaning(place),
  afterthoughts(place),
]
