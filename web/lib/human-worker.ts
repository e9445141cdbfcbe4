/*
 * Finds the number that a challenge of the server asks for, beside the page. The browser's own digest answers each try
 * later and only over https; this one does a million a second.
 */

const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32
const primes: number[] = []
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n)
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const schedule = new Int32Array(64)

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** One block of SHA-256 into the state. */
function mix(state: Int32Array, block: DataView) {
  for (let at = 0; at < 16; at++) schedule[at] = block.getInt32(at * 4)
  for (let at = 16; at < 64; at++) {
    const early = schedule[at - 15]!
    const late = schedule[at - 2]!
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    schedule[at] = (schedule[at - 16]! + small + schedule[at - 7]! + large) | 0
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let at = 0; at < 64; at++) {
    const chosen = (e & f) ^ (~e & g)
    const right = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const first = (h + right + chosen + ROUNDS[at]! + schedule[at]!) | 0
    const most = (a & b) ^ (a & c) ^ (b & c)
    const left = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + left + most) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}

/** The number behind the salt whose hash is the challenge; null where there is none. */
function solve(salt: string, challenge: string, most: number): number | null {
  const wanted = Int32Array.from(challenge.match(/.{8}/g) ?? [], (word) => Number.parseInt(word, 16))
  const text = new TextEncoder().encode(salt)
  const state = new Int32Array(8)
  // What stands before the number is the same for every try.
  const begun = Int32Array.from(START)
  const whole = text.length - (text.length % 64)
  for (let at = 0; at < whole; at += 64) mix(begun, new DataView(text.buffer, at, 64))
  const rest = text.subarray(whole)
  const tail = new Uint8Array(128)
  const blocks = [new DataView(tail.buffer, 0, 64), new DataView(tail.buffer, 64, 64)] as const
  for (let number = 0; number <= most; number++) {
    const digits = String(number)
    const end = rest.length + digits.length
    const length = end < 56 ? 64 : 128
    tail.fill(0)
    tail.set(rest)
    for (let at = 0; at < digits.length; at++) tail[rest.length + at] = digits.charCodeAt(at)
    tail[end] = 0x80
    blocks[length === 64 ? 0 : 1].setUint32(60, (whole + end) * 8)
    state.set(begun)
    mix(state, blocks[0])
    if (length === 128) mix(state, blocks[1])
    if (state[0] === wanted[0] && state.every((word, at) => word === wanted[at])) return number
  }
  return null
}

addEventListener('message', ({ data }: MessageEvent<{ salt: string; challenge: string; most: number }>) =>
  postMessage(solve(data.salt, data.challenge, data.most)),
)
