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

/** A picture made anew: square, upright, without anything the camera wrote into it. Null for what is none. */
export async function remakePicture(path: string, widths: readonly number[]): Promise<MadePicture[] | null> {
  const sharp = await (ready ??= sharpForStrangers())
  const source = () => sharp(path, { limitInputPixels: PIXELS, failOn: 'error', pages: 1 }).autoOrient()
  try {
    const { format } = await source().metadata()
    if (format !== 'jpeg' && format !== 'png') return null
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
  } catch {
    return null
  }
}
