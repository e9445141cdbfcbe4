import type { Sharp, SharpOptions } from 'sharp'

type Open = (path: string, options: SharpOptions) => Sharp

let ready: Promise<Open> | undefined

/** Loaded with the first picture. Only what reads JPEG and PNG may run: the other loaders are code that strangers would feed. */
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

const PIXELS = 40e6

export interface MadePicture {
  ending: 'webp' | 'jpg'
  width: number
  content: Buffer
}

type Source = () => Sharp

/** Null for what is no picture, or no whole one. */
async function fromPicture<T>(path: string, make: (source: Source) => Promise<T>): Promise<T | null> {
  const sharp = await (ready ??= sharpForStrangers())
  const source = () => sharp(path, { limitInputPixels: PIXELS, failOn: 'error', pages: 1 }).autoOrient()
  try {
    const { format } = await source().metadata()
    return format === 'jpeg' || format === 'png' ? await make(source) : null
  } catch {
    return null
  }
}

export interface MadePage {
  content: Buffer
  width: number
  height: number
}

/** A photograph made anew: whole, upright, clear, without anything the camera wrote into it. */
export const remakePage = (path: string, longest: number): Promise<MadePage | null> =>
  fromPicture(path, async (source) => {
    const { data, info } = await source()
      .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 80 })
      .toBuffer({ resolveWithObject: true })
    return { content: data, width: info.width, height: info.height }
  })

/** A picture made anew: square, upright, without anything the camera wrote into it. Null for what is none. */
export const remakePicture = (path: string, widths: readonly number[]): Promise<MadePicture[] | null> =>
  fromPicture(path, async (source) => {
    const made: MadePicture[] = []
    for (const width of widths) {
      const square = source().resize(width, width, { fit: 'cover' }).flatten({ background: '#ffffff' })
      made.push({ ending: 'webp', width, content: await square.clone().webp({ quality: 78 }).toBuffer() })
      made.push({
        ending: 'jpg',
        width,
        content: await square.clone().jpeg({ quality: 80, mozjpeg: true }).toBuffer(),
      })
    }
    return made
  })
