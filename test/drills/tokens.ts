import { decodeJwt, SignJWT } from 'jose'
import { tokenOf } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import { postAs, statusOf } from './load.ts'
import { openLive } from './live.ts'
import type { Drill } from './run.ts'

const SECRET = 'a secret that only the drill knows, of some length'
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Tries n invalid tokens on a call and on the socket. */
export default {
  n: 1000,
  async run(n, random) {
    const product = await startProduct({ env: { SECRET } })
    const good = await tokenOf('owner', product.url)
    const revoked = await tokenOf('owner', product.url)
    await postAs(product.url, revoked, '/logout')
    const claims = decodeJwt(good) as { sid: string; kind: string; exp: number }
    const [head, payload, signature] = good.split('.') as [string, string, string]
    const signed = (values: object, { secret = SECRET, alg = 'HS256' } = {}) =>
      new SignJWT({ ...values }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret))
    const flipped = (text: string) => {
      const at = Math.floor(random() * text.length)
      return `${text.slice(0, at)}${text[at] === 'A' ? 'Q' : 'A'}${text.slice(at + 1)}`
    }
    const kinds: Record<string, () => Promise<string> | string> = {
      revoked: () => revoked,
      expired: () =>
        signed({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 - Math.floor(random() * 1e6) }),
      endless: () => signed({ kind: claims.kind, sid: claims.sid }),
      'of another kind': () => signed({ ...claims, kind: random() < 0.5 ? 'guest' : 'clinic' }),
      'of no session': () => signed({ ...claims, sid: `${claims.sid.slice(1)}${Math.floor(random() * 10)}` }),
      'without session': () => signed({ exp: claims.exp, kind: claims.kind }),
      'session as list': () => signed({ ...claims, sid: [claims.sid] }),
      'of another secret': () => signed(claims, { secret: `${SECRET}.` }),
      'of another algorithm': () => signed(claims, { alg: random() < 0.5 ? 'HS384' : 'HS512' }),
      'alg none': () =>
        `${encode({ alg: ['none', 'None', 'NONE', ''][Math.floor(random() * 4)] })}.${payload}.`,
      'alg none, signed': () => `${encode({ alg: 'none' })}.${payload}.${signature}`,
      'longer life': () => `${head}.${encode({ ...claims, exp: claims.exp + 1 })}.${signature}`,
      'tampered payload': () => `${head}.${flipped(payload)}.${signature}`,
      // The last letter of a signature carries unused bits.
      'tampered signature': () => `${head}.${payload}.${flipped(signature.slice(0, -1))}${signature.at(-1)}`,
      'cut off': () => good.slice(0, Math.floor(random() * (good.length - 3))),
      'two of them': () => `${good} ${good}`,
      doubled: () => `${good}.${signature}`,
    }
    const names = Object.keys(kinds)
    const accepted: Record<string, number> = {}
    const accept = (name: string) => (accepted[name] = (accepted[name] ?? 0) + 1)
    for (let at = 0; at < n; at++) {
      const name = names[at % names.length]!
      const token = await kinds[name]!()
      if ((await statusOf(product.url, token)) !== 401) accept(name)
      if (at < names.length * 3) {
        const live = await openLive(product.url, { token })
        if (live.admitted) accept(`${name}, socket`)
        live.close()
      }
    }
    const proof = await openLive(product.url, { token: good })
    const works = (await statusOf(product.url, good)) === 200 && proof.admitted
    proof.close()
    await product.remove()
    return {
      figure: { tokens: n, accepted, goodOneWorks: works },
      target: '0 accepted',
      pass: works && Object.keys(accepted).length === 0,
    }
  },
} satisfies Drill
