import { startProduct } from '#test/e2e/product.ts'
import { openLive } from './live.ts'
import { pause, signIn, visitor } from './load.ts'
import type { Drill } from './run.ts'

const AT_ONCE = 6
const FRAMES_AT_ONCE = 3
const FOREIGN = ['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost', 'file://', 'x']

/** Frames that say nothing a socket of ours would say. */
const bad = (random: () => number): string | Uint8Array => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const event = pick([
    'say',
    'join',
    'connect',
    'disconnect',
    'error',
    '__proto__',
    'constructor',
    '',
    'x'.repeat(2000),
  ])
  const payload = pick<unknown>([
    null,
    1,
    'x',
    [],
    {},
    { toString: 1 },
    { a: '\0' },
    { a: 'x'.repeat(5000) },
    [[[[]]]],
  ])
  return pick<() => string | Uint8Array>([
    () => '4',
    () => '42',
    () => '42[',
    () => '42[]',
    () => '42{}',
    () => '42[1]',
    () => '42["x"',
    () => `42${JSON.stringify([event, payload])}`,
    () => `42${Math.floor(random() * 1e6)}${JSON.stringify([event, payload])}`,
    () => `42/other,${JSON.stringify([event])}`,
    () => '40/admin,{}',
    () => '43999999["x"]',
    () => '451-["x",{"_placeholder":true,"num":0}]',
    () => '459999999999-["x"]',
    () => '44{"message":"x"}',
    () => '47',
    () => '9',
    () => '',
    () => '6',
    () => '\0',
    () => `42${'['.repeat(20_000)}`,
    () => 'x'.repeat(70_000),
    () => Uint8Array.from({ length: 40 }, () => Math.floor(random() * 256)),
  ])()
}

/** Foreign pages and strangers stay out; n bad frames from somebody signed in disturb nobody. */
export default {
  n: 100_000,
  async run(n, random) {
    const product = await startProduct()
    const token = await signIn(product.url, 'new')
    let accepted = 0
    for (const origin of FOREIGN) {
      const live = await openLive(product.url, { token, origin })
      if (live.answer !== 'refused') accepted++
      live.close()
      const polled = await fetch(`${product.url}/api/live/?EIO=4&transport=polling`, { headers: { origin } })
      if (polled.ok) accepted++
    }
    const stranger = await openLive(product.url, {})
    if (stranger.admitted) accepted++
    stranger.close()
    const own = await openLive(product.url, { token, origin: product.url })
    const ownIsAdmitted = own.admitted

    const other = visitor(product.url)
    let sent = 0
    let cutOff = 0
    let answered = 0
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        let live = await openLive(product.url, { token })
        while (sent < n) {
          if (live.isClosed()) {
            cutOff++
            answered += live.heard.filter((frame) => /^43\d*\[\{"ok"/.test(frame)).length
            live = await openLive(product.url, { token })
          }
          // Few at a time, since what follows a frame that ends the connection is not heard.
          for (let at = 0; at < FRAMES_AT_ONCE && sent < n; at++, sent++) live.send(bad(random))
          await pause(1)
          while (!live.isClosed() && live.waiting() > 0) await pause(1)
        }
        live.close()
      }),
    )
    const others = await other.stop()
    const stillThere = !own.isClosed()
    own.close()
    const lives = product.child.exitCode === null && (await fetch(`${product.url}/api/health`)).ok
    await product.remove()
    return {
      figure: { accepted, ownIsAdmitted, frames: sent, cutOff, answered, others, stillThere, lives },
      target: '0 accepted; others p99 under 250 ms',
      pass:
        accepted === 0 &&
        answered === 0 &&
        ownIsAdmitted &&
        stillThere &&
        lives &&
        others.failures === 0 &&
        others.p99 < 250,
    }
  },
} satisfies Drill
