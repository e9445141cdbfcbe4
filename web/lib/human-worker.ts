/*
 * Finds the counter that the server's challenge asks for, in a worker. The browser's own digest is asynchronous for
 * each attempt, and needs https. This one makes two million attempts a second on a desktop.
 */

const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32
const primes: number[] = []
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n)
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const schedule = new Int32Array(64)
const state = new Int32Array(8)

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** SHA-256 of the one block at the start of the schedule, into the state. */
function hash() {
  for (let at = 16; at < 64; at++) {
    const early = schedule[at - 15]!
    const late = schedule[at - 2]!
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    schedule[at] = (schedule[at - 16]! + small + schedule[at - 7]! + large) | 0
  }
  let a = START[0]!
  let b = START[1]!
  let c = START[2]!
  let d = START[3]!
  let e = START[4]!
  let f = START[5]!
  let g = START[6]!
  let h = START[7]!
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
  state[0] = START[0]! + a
  state[1] = START[1]! + b
  state[2] = START[2]! + c
  state[3] = START[3]! + d
  state[4] = START[4]! + e
  state[5] = START[5]! + f
  state[6] = START[6]! + g
  state[7] = START[7]! + h
}

const wordsOf = (hex: string) =>
  Int32Array.from(hex.match(/.{8}/g) ?? [], (word) => Number.parseInt(word, 16))

/** Finds the counter that gives the message's hash the wanted beginning; null if there is none. */
function solve(message: string, keyPrefix: string, most: number) {
  const words = wordsOf(message)
  const wanted = wordsOf(keyPrefix)
  schedule.set(words)
  schedule[words.length + 1] = 0x80000000
  schedule[15] = (words.length + 1) * 32
  for (let counter = 0; counter <= most; counter++) {
    schedule[words.length] = counter
    hash()
    if (state[0] !== wanted[0] || wanted.some((word, at) => word !== state[at])) continue
    return {
      counter,
      derivedKey: Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join(''),
    }
  }
  return null
}

addEventListener('message', ({ data }: MessageEvent<{ message: string; keyPrefix: string; most: number }>) =>
  postMessage(solve(data.message, data.keyPrefix, data.most)),
)
