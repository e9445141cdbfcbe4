import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { box, element, film, webm } from '#test/documents.ts'
import { blankMetadata, secondsOf } from './films.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-films-'))
afterAll(() => rmSync(folder, { recursive: true }))
function lengthOf(content: Buffer, kind: 'mp4' | 'webm' = 'mp4') {
  const file = path.join(folder, 'film')
  writeFileSync(file, content)
  return secondsOf(file, kind)
}

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const type = box('ftyp', Buffer.from('isom\0\0\0\0', 'latin1'))
const media = box('mdat', Buffer.alloc(900, 7))

/** The beginning of an mvhd or mdhd. */
function head(
  seconds: number,
  {
    scale = 1000,
    long = false,
    version = Number(long),
  }: Partial<Record<'scale' | 'version', number>> & { long?: boolean } = {},
) {
  const content = Buffer.alloc(112)
  content[0] = version
  content.writeUInt32BE(scale, long ? 20 : 12)
  if (long) content.writeBigUInt64BE(BigInt(Math.round(seconds * scale)), 24)
  else content.writeUInt32BE(Math.round(seconds * scale), 16)
  return content
}
const movie = (...inside: Buffer[]) => Buffer.concat([type, media, box('moov', ...inside)])
const track = (seconds: number) => box('trak', box('mdia', box('mdhd', head(seconds))))

it('the length of a film is read wherever the file has it [CON-4] [SAF-4]', async () => {
  expect(await lengthOf(film({ seconds: 61.5 }))).toBe(61.5)
  expect(await lengthOf(movie(box('mvhd', head(12))))).toBe(12)
  expect(await lengthOf(Buffer.concat([type, box('moov', box('mvhd', head(12))), media]))).toBe(12)
  expect(await lengthOf(movie(box('mvhd', head(12, { long: true }))))).toBe(12)
  expect(await lengthOf(webm({ seconds: 12 }), 'webm')).toBe(12)
  expect(await lengthOf(webm({ seconds: 12, open: true }), 'webm')).toBe(12)
})

it('the longest length in a film counts [SAF-4]', async () => {
  expect(await lengthOf(movie(box('mvhd', head(12)), track(12), track(600)))).toBe(600)
  const fragment = box('mvex', box('mehd', bytes('00000000 000927c0')))
  const inFragments = [type, box('moov', box('mvhd', head(0)), fragment), box('moof'), media]
  expect(await lengthOf(Buffer.concat(inFragments))).toBe(600)
  expect(await lengthOf(webm({ seconds: 12, lastCluster: 600 }), 'webm')).toBe(600)
})

it('what a camera wrote about the place is blanked wherever it stands, and nothing else changes [CON-4]', async () => {
  const place = Buffer.from('-33.9249+018.4241/', 'latin1')
  const metadata = [
    box('udta', box('\xa9xyz', place)),
    box('meta', box('ilst', place, Buffer.alloc(70_000, 1))),
  ]
  const film = (...boxes: Buffer[]) =>
    Buffer.concat([
      type,
      ...boxes,
      media,
      box('moov', box('mvhd', head(12)), ...boxes, box('trak', box('mdia', box('mdhd', head(12))), ...boxes)),
    ])
  const file = path.join(folder, 'film')
  const written = [...metadata, box('uuid', place)]
  writeFileSync(file, film(...written))
  await blankMetadata(file)
  expect(readFileSync(file)).toEqual(
    film(...written.map(({ length }) => box('free', Buffer.alloc(length - 8)))),
  )
  expect(await secondsOf(file, 'mp4')).toBe(12)
})

it('a film without a length, with two that contradict each other, or cut off has no length [SAF-4]', async () => {
  const whole = movie(box('mvhd', head(12)), track(12))
  const longBox = Buffer.concat([bytes('00000001'), Buffer.from('moov'), bytes('0000000000000002')])
  const broken: Record<string, Buffer> = {
    'nothing but its type': type,
    '24 bytes of head': bytes('00000018 66747970 6d703432 00000000 69736f6d 6d703432'),
    'no movie': Buffer.concat([type, media]),
    'a movie without a head': movie(track(12)),
    'two heads': movie(box('mvhd', head(12)), box('mvhd', head(600))),
    'two movies': Buffer.concat([whole, box('moov', box('mvhd', head(600)))]),
    'no units in a second': movie(box('mvhd', head(12, { scale: 0 }))),
    'no length': movie(box('mvhd', head(0))),
    'an unknown length': movie(box('mvhd', Buffer.alloc(112, 0xff))),
    'an unknown version': movie(box('mvhd', head(12, { version: 7 }))),
    'a head cut in itself': movie(box('mvhd', head(12).subarray(0, 14))),
    'a head that reaches into the next box': movie(box('mvhd', head(12).subarray(0, 18)), track(12)),
    'a box longer than the file': Buffer.concat([type, bytes('00ffffff'), Buffer.from('mdat')]),
    'a box shorter than its own head': Buffer.concat([whole, bytes('00000004'), Buffer.from('free')]),
    'a long box shorter than its own head': Buffer.concat([type, longBox, Buffer.alloc(20)]),
    'a box inside longer than its parent': movie(
      box('mvhd', head(12)),
      bytes('00ffffff'),
      Buffer.from('trak'),
    ),
    'garbage inside': movie(box('mvhd', head(12)), Buffer.alloc(5, 9)),
    'fragments without a length': Buffer.concat([
      type,
      box('moov', box('mvhd', head(0))),
      box('moof'),
      media,
    ]),
    'thousands of empty boxes': Buffer.concat([...Array<Buffer>(9000).fill(box('free')), whole]),
    'thousands of empty boxes in many tracks': movie(
      box('mvhd', head(12)),
      ...Array<Buffer>(90).fill(box('trak', ...Array<Buffer>(100).fill(box('mdia')))),
    ),
    ...Object.fromEntries(
      [whole.length - 1, 930, 500, 40, 9].map((at) => [`cut at ${at}`, whole.subarray(0, at)]),
    ),
  }
  for (const [says, content] of Object.entries(broken)) expect(await lengthOf(content), says).toBeNull()
})

it('a webm without a length, with two that contradict each other, or cut off has no length [SAF-4]', async () => {
  const whole = webm({ seconds: 12 })
  const header = element('1a45dfa3', element('4282', Buffer.from('webm')))
  const holding = (...inside: Buffer[]) =>
    Buffer.concat([header, element('18538067', element('1549a966', ...inside))])
  const float = (value: number) => {
    const content = Buffer.alloc(8)
    content.writeDoubleBE(value)
    return element('4489', content)
  }
  const broken: Record<string, Buffer> = {
    'its head': header,
    'no length': webm({}),
    'no length, recorded live': webm({ open: true }),
    'no units in a second': holding(element('2ad7b1', bytes('00')), float(12_000)),
    'a negative length': holding(float(-12_000)),
    'no number': holding(float(Number.NaN)),
    'without end': holding(float(Infinity)),
    'a length of three bytes': holding(element('4489', bytes('461c40'))),
    'a name of no known width': holding(bytes('0081')),
    'an element longer than its parent': holding(bytes('4489ff00')),
    ...Object.fromEntries(
      [whole.length - 1, 60, 30, 13].map((at) => [`cut at ${at}`, whole.subarray(0, at)]),
    ),
  }
  for (const [says, content] of Object.entries(broken))
    expect(await lengthOf(content, 'webm'), says).toBeNull()
})
