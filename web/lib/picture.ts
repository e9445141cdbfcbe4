import { words } from '#contract/errors.ts'

const LONGEST_SIDE = 1200
const QUALITY = 0.8
export const SMALL_BYTES = 300_000

/** JPEG and PNG, by how they begin. */
const BEGINNINGS = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
]

async function isPicture(file: Blob) {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  return BEGINNINGS.some((beginning) => beginning.every((byte, at) => bytes[at] === byte))
}

const jpeg = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))

/** What is wrong with a chosen file, in words for the person. */
export class WrongPicture extends Error {}

/**
 * The middle of a picture as a square JPEG under 300 kB, made on the phone before anything is sent. What was not
 * drawn does not leave it: neither the file's own data nor where it was taken.
 */
export async function smallSquare(file: File, maxBytes: number): Promise<File> {
  if (file.size > maxBytes) throw new WrongPicture(words('PICTURE_TOO_LARGE'))
  const picture = (await isPicture(file)) ? await createImageBitmap(file).catch(() => null) : null
  if (!picture) throw new WrongPicture(words('PICTURE_WRONG_TYPE'))
  const side = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  const name = `${file.name.replace(/\.\w+$/, '')}.jpg`
  try {
    for (let size = Math.min(side, LONGEST_SIDE), quality = QUALITY; ; size *= 0.8, quality *= 0.9) {
      canvas.width = canvas.height = Math.round(size)
      const draw = canvas.getContext('2d')
      if (!draw) throw new WrongPicture(words('PICTURE_WRONG_TYPE'))
      draw.fillStyle = 'white'
      draw.fillRect(0, 0, canvas.width, canvas.height)
      const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2]
      draw.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
      const small = await jpeg(canvas, quality)
      if (!small) throw new WrongPicture(words('PICTURE_WRONG_TYPE'))
      if (small.size < SMALL_BYTES) return new File([small], name, { type: 'image/jpeg' })
    }
  } finally {
    picture.close()
  }
}

const LONGEST_PAGE = 2000
const PAGE_BYTES = 900_000

/** A whole page as a JPEG that can still be read, made on the phone like the others. Null for what is no picture. */
export async function smallPage(file: File): Promise<File | null> {
  const picture = (await isPicture(file)) ? await createImageBitmap(file).catch(() => null) : null
  if (!picture) return null
  const canvas = document.createElement('canvas')
  const longest = Math.max(picture.width, picture.height)
  try {
    for (let most = LONGEST_PAGE; ; most *= 0.85) {
      const scale = Math.min(1, most / longest)
      canvas.width = Math.max(1, Math.round(picture.width * scale))
      canvas.height = Math.max(1, Math.round(picture.height * scale))
      const draw = canvas.getContext('2d')
      if (!draw) return null
      draw.fillStyle = 'white'
      draw.fillRect(0, 0, canvas.width, canvas.height)
      draw.drawImage(picture, 0, 0, canvas.width, canvas.height)
      const small = await jpeg(canvas, QUALITY)
      if (!small) return null
      if (small.size < PAGE_BYTES)
        return new File([small], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
    }
  } finally {
    picture.close()
  }
}
