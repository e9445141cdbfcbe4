import { open, type FileHandle } from 'node:fs/promises'
import type { Kind } from './content-types.ts'

/** A stretch of a file: where it begins, and where its content begins and ends. */
interface Part {
  name: string
  at: number
  from: number
  to: number
}
/** A file, and how many of its parts were found so far. */
interface Film {
  file: FileHandle
  parts: number
}
/** Finds the part that begins here, or nothing if that part isn't complete. */
type Next = (film: Film, at: number, end: number) => Promise<Part | undefined>

/** The file contradicts itself, or isn't all there. */
class Broken extends Error {}

/** Far more than a minute of film has. */
const MOST_PARTS = 5000

/** How many seconds a film lasts, as its file says; null if it doesn't say, contradicts itself or isn't complete. */
export async function secondsOf(path: string, kind: Exclude<Kind, 'pdf'>): Promise<number | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const film = { file, parts: 0 }
    const seconds = await (kind === 'webm' ? secondsOfWebm(film, size) : secondsOfMp4(film, size))
    return Number.isFinite(seconds) && seconds > 0 ? seconds : null
  } catch (error) {
    if (error instanceof Broken) return null
    throw error
  } finally {
    await file.close()
  }
}

async function read({ file }: Film, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
  if (bytesRead < length) throw new Broken()
  return buffer
}

/** The parts that fill this stretch without a gap. */
async function partsOf(film: Film, next: Next, { from, to }: Pick<Part, 'from' | 'to'>) {
  const parts: Part[] = []
  for (let at = from; at < to; at = parts.at(-1)!.to) {
    const part = await next(film, at, to)
    if (!part || part.to > to || film.parts++ === MOST_PARTS) throw new Broken()
    parts.push(part)
  }
  return parts
}

const named = (parts: Part[], name: string) => parts.filter((part) => part.name === name)

/* mp4 and mov: boxes with a length and a name, one in the other. */

const nextBox: Next = async (film, at, end) => {
  const head = await read(film, at, 8)
  const name = head.toString('latin1', 4)
  const length = head.readUInt32BE()
  if (length === 0) return { name, at, from: at + 8, to: end }
  if (length !== 1) return length < 8 ? undefined : { name, at, from: at + 8, to: at + length }
  const long = Number((await read(film, at + 8, 8)).readBigUInt64BE())
  return long < 16 ? undefined : { name, at, from: at + 16, to: at + long }
}

async function secondsOfMp4(film: Film, size: number): Promise<number> {
  const boxes = await partsOf(film, nextBox, { from: 0, to: size })
  const movies = named(boxes, 'moov')
  if (movies.length !== 1) throw new Broken()
  const movie = await partsOf(film, nextBox, movies[0]!)
  const heads = named(movie, 'mvhd')
  if (heads.length !== 1) throw new Broken()
  const head = await lengthIn(film, heads[0]!)
  const lengths = [head.units / head.scale]
  for (const track of named(movie, 'trak'))
    for (const media of named(await partsOf(film, nextBox, track), 'mdia'))
      for (const mediaHead of named(await partsOf(film, nextBox, media), 'mdhd')) {
        const { units, scale } = await lengthIn(film, mediaHead)
        lengths.push(units / scale)
      }
  if (named(boxes, 'moof').length > 0) {
    // A recording in fragments counts its length at the end, or never.
    const fragments: number[] = []
    for (const extended of named(movie, 'mvex'))
      for (const told of named(await partsOf(film, nextBox, extended), 'mehd'))
        fragments.push((await durationAt(film, told, 4, 4)) / head.scale)
    if (fragments.length === 0) throw new Broken()
    lengths.push(...fragments)
  } else if (!(lengths[0]! > 0)) throw new Broken()
  return Math.max(...lengths)
}

/** Time units per second, and the number of units. Both kinds of head begin alike. */
async function lengthIn(film: Film, box: Part) {
  const isLong = (await read(film, box.from, 1))[0] === 1
  const at = isLong ? 20 : 12
  if (box.from + at + 4 > box.to) throw new Broken()
  const scale = (await read(film, box.from + at, 4)).readUInt32BE()
  if (scale === 0) throw new Broken()
  return { scale, units: await durationAt(film, box, 16, 24) }
}

/** A number of 32 bits, or of 64 in version 1. All ones mean an unknown length. */
async function durationAt(film: Film, box: Part, short: number, long: number): Promise<number> {
  const version = (await read(film, box.from, 1))[0]!
  const [at, bytes] = version === 0 ? [short, 4] : [long, 8]
  if (version > 1 || box.from + at + bytes > box.to) throw new Broken()
  const number = await read(film, box.from + at, bytes)
  if (number.every((byte) => byte === 0xff)) throw new Broken()
  return version === 0 ? number.readUInt32BE() : Number(number.readBigUInt64BE())
}

/** Where cameras write the place, the device and who owns it. No player needs these boxes. */
const METADATA = ['udta', 'meta', 'uuid']
const ZEROS = Buffer.alloc(65_536)

/** Overwrites the metadata of an mp4 or mov, whose `secondsOf` is known, with free space, so that nothing else moves. */
export async function blankMetadata(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const film = { file, parts: 0 }
    const boxes = await partsOf(film, nextBox, { from: 0, to: (await file.stat()).size })
    for (const movie of named(boxes, 'moov')) {
      const inside = await partsOf(film, nextBox, movie)
      boxes.push(...inside)
      for (const track of named(inside, 'trak')) boxes.push(...(await partsOf(film, nextBox, track)))
    }
    for (const { name, at, from, to } of boxes) {
      if (!METADATA.includes(name)) continue
      await file.write('free', at + 4)
      for (let next = from; next < to; next += ZEROS.length)
        await file.write(ZEROS, 0, Math.min(ZEROS.length, to - next), next)
    }
  } finally {
    await file.close()
  }
}

/* webm: elements with a name, a length and a value; lengths and names are as long as their first byte says. */

const SEGMENT = '18538067'
const INFO = '1549a966'
const CLUSTER = '1f43b675'
const SCALE = '2ad7b1'
const DURATION = '4489'
const TIME = 'e7'
/** The default scale: milliseconds. */
const NANOSECONDS = 1_000_000

const nextElement: Next = async (film, at, end) => {
  const nameWidth = widthOf(await read(film, at, 1))
  const lengthAt = at + nameWidth
  if (nameWidth > 4 || lengthAt >= end) return undefined
  const name = await read(film, at, nameWidth)
  const width = widthOf(await read(film, lengthAt, 1))
  if (width > 8) return undefined
  const bytes = await read(film, lengthAt, width)
  const from = lengthAt + width
  const isOpen = bytes.every((byte, index) => byte === (index === 0 ? 0xff >> (width - 1) : 0xff))
  bytes[0]! &= 0xff >> width
  const length = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  // A live recording gives no length, so the element reaches to the end of the one around it.
  return { name: name.toString('hex'), at, from, to: isOpen ? end : from + length }
}

const widthOf = (bytes: Buffer) => Math.clz32(bytes[0]!) - 23

async function secondsOfWebm(film: Film, size: number): Promise<number> {
  const segments = named(await partsOf(film, nextElement, { from: 0, to: size }), SEGMENT)
  if (segments.length !== 1) throw new Broken()
  const parts = await partsOf(film, nextElement, segments[0]!)
  const [info, ...more] = named(parts, INFO)
  if (!info || more.length > 0) throw new Broken()
  const told = await partsOf(film, nextElement, info)
  const [scaleAt, durationPart] = [named(told, SCALE)[0], named(told, DURATION)[0]]
  const scale = scaleAt ? await wholeIn(film, scaleAt) : NANOSECONDS
  if (scale === 0 || !durationPart) throw new Broken()
  const width = durationPart.to - durationPart.from
  if (width !== 4 && width !== 8) throw new Broken()
  const value = await read(film, durationPart.from, width)
  const duration = width === 4 ? value.readFloatBE() : value.readDoubleBE()
  if (!(duration > 0)) throw new Broken()
  const lengths = [duration]
  for (const cluster of named(parts, CLUSTER)) {
    const first = await nextElement(film, cluster.from, cluster.to)
    if (first?.name === TIME && first.to <= cluster.to) lengths.push(await wholeIn(film, first))
  }
  return (Math.max(...lengths) * scale) / 1e9
}

async function wholeIn(film: Film, { from, to }: Part) {
  if (to - from > 8) throw new Broken()
  return (await read(film, from, to - from)).reduce((sum, byte) => sum * 256 + byte, 0)
}
