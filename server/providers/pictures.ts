import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { scansOf } from '../documents/jpeg-scans.ts'
import { atOnce } from '../concurrency/at-once.ts'
import { inTurn } from '../concurrency/in-turn.ts'

type Open = (from: string | Buffer, options: SharpOptions) => Sharp

let ready: Promise<Open> | undefined

/** Loaded with the first picture. Only the JPEG and PNG loaders may run, since strangers choose what we feed them. */
async function sharpForStrangers(): Promise<Open> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegFile',
      'VipsForeignLoadPngFile',
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
    ],
  })
  sharp.cache(false)
  return sharp
}

/** A JPEG is read at the size it is needed in, so a phone's largest photo takes little memory. A PNG is read whole. */
const PIXELS = { jpeg: 110e6, png: 40e6 }
/** A progressive JPEG of a camera or program has about ten. One of 16 MB may have 200,000, and take an hour to read. */
const SCANS = 50

/**
 * A picture that is stored in passes is in memory as a whole, and an interlaced PNG of 300 kB may take 320 MB. A
 * progressive JPEG of 24 megapixels still fits.
 */
const HELD_BYTES = 150e6

function isHeldTooLarge({ format, width, height, channels, depth, isProgressive }: Metadata) {
  const sample = format === 'png' && depth === 'uchar' ? 1 : 2
  return isProgressive && width * height * channels * sample > HELD_BYTES
}

type Make<T> = (source: () => Sharp, sharp: Open) => Promise<T>

/** Reading a picture may take a second and 100 MB, and people share both. So one is read at a time, in turn by person. */
const READ_AT_ONCE = 1

/** Null if it isn't a complete picture. */
const fromPicture = <T>(userId: number, path: string, make: Make<T>) =>
  inTurn(`picture of ${userId}`, () => atOnce('pictures', READ_AT_ONCE, () => readPicture(path, make)))

async function readPicture<T>(path: string, make: Make<T>): Promise<T | null> {
  if ((await scansOf(path)) > SCANS) return null
  const sharp = await (ready ??= sharpForStrangers())
  const source = () => sharp(path, { limitInputPixels: PIXELS.jpeg, failOn: 'error', pages: 1 }).autoOrient()
  try {
    const facts = await source().metadata()
    const { format, width, height } = facts
    if (format !== 'jpeg' && format !== 'png') return null
    if (width * height > PIXELS[format] || isHeldTooLarge(facts)) return null
    return await make(source, sharp)
  } catch {
    return null
  }
}

/** Re-encodes a photograph: uncropped, upright, sharp, without the camera's metadata. */
export const remakePage = (userId: number, path: string, longest: number) =>
  fromPicture(userId, path, async (source) => {
    const { data, info } = await source()
      .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 80 })
      .toBuffer({ resolveWithObject: true })
    return { content: data, width: info.width, height: info.height }
  })

/** Re-encodes a picture: square, upright, without the camera's metadata. It's read once, whatever it is made into. */
export const remakePicture = (userId: number, path: string, widths: readonly number[]) =>
  fromPicture(userId, path, async (source, sharp) => {
    const side = Math.max(...widths)
    const { data, info } = await source()
      .resize(side, side, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const made: { ending: 'webp' | 'jpg'; width: number; content: Buffer }[] = []
    for (const width of widths) {
      const square = sharp(data, { raw: info }).resize(width, width)
      made.push({ ending: 'webp', width, content: await square.clone().webp({ quality: 78 }).toBuffer() })
      made.push({
        ending: 'jpg',
        width,
        content: await square.clone().jpeg({ quality: 80, mozjpeg: true }).toBuffer(),
      })
    }
    return made
  })
