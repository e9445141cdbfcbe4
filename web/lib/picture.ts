import { sentenceOf } from '#contract/errors.ts'

/** The length of a side of the picture that we send. The server stores none larger. */
const SIDE = 800
const QUALITY = 0.85
export const SMALL_BYTES = 300_000
export const MOST_ZOOM = 4

/** The first bytes of JPEG and PNG. */
const BEGINNINGS = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
]

async function isPicture(file: Blob) {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  return BEGINNINGS.some((beginning) => beginning.every((byte, at) => bytes[at] === byte))
}

/** What's wrong with the chosen file, in words for the person. */
export class WrongPicture extends Error {}

/** A chosen picture, rotated as its camera meant. The caller closes it. */
export async function openPicture(file: File, maxBytes: number): Promise<ImageBitmap> {
  if (file.size > maxBytes) throw new WrongPicture(sentenceOf('PICTURE_TOO_LARGE'))
  const picture = (await isPicture(file))
    ? await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
    : null
  if (!picture) throw new WrongPicture(sentenceOf('PICTURE_WRONG_TYPE'))
  return picture
}

// --- choosing the part

interface Size {
  width: number
  height: number
}

/** A square part of a picture, in the picture's own pixels. */
export interface Square {
  left: number
  top: number
  side: number
}

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most)
const shorter = ({ width, height }: Size) => Math.min(width, height)

/** The nearest square that is inside the picture and not too small. */
function inside(picture: Size, { left, top, side: wanted }: Square): Square {
  const side = between(shorter(picture) / MOST_ZOOM, wanted, shorter(picture))
  return {
    left: between(0, left, picture.width - side),
    top: between(0, top, picture.height - side),
    side,
  }
}

export const middleOf = (picture: Size): Square => ({
  left: (picture.width - shorter(picture)) / 2,
  top: (picture.height - shorter(picture)) / 2,
  side: shorter(picture),
})

/** Moves the picture under the square, by fractions of the square's side. */
export const moved = (picture: Size, square: Square, right: number, down: number): Square =>
  inside(picture, {
    ...square,
    left: square.left - right * square.side,
    top: square.top - down * square.side,
  })

export const zoomOf = (picture: Size, { side }: Square) => shorter(picture) / side

/** Zooms around a point of the square, given in fractions of its side. */
export function zoomed(picture: Size, square: Square, zoom: number, x = 0.5, y = 0.5): Square {
  const side = shorter(picture) / between(1, zoom, MOST_ZOOM)
  return inside(picture, {
    left: square.left + x * (square.side - side),
    top: square.top + y * (square.side - side),
    side,
  })
}

// --- what is sent

/** Draws the square onto a canvas of any size, on white where the picture is transparent. */
export function draw(picture: ImageBitmap, { left, top, side }: Square, canvas: HTMLCanvasElement) {
  const context = canvas.getContext('2d')
  if (!context) throw new WrongPicture(sentenceOf('PICTURE_WRONG_TYPE'))
  context.imageSmoothingQuality = 'high'
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
}

const jpeg = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))

/**
 * The square as a JPEG under 300 kB, made on the phone before anything is sent. The file's metadata, such as where it
 * was taken, never leaves the phone.
 */
export async function cutSquare(picture: ImageBitmap, square: Square, filename: string): Promise<File> {
  const canvas = document.createElement('canvas')
  const name = `${filename.replace(/\.\w+$/, '')}.jpg`
  for (let size = Math.min(square.side, SIDE), quality = QUALITY; ; size *= 0.8, quality *= 0.9) {
    canvas.width = canvas.height = Math.max(1, Math.round(size))
    draw(picture, square, canvas)
    const small = await jpeg(canvas, quality)
    if (!small) throw new WrongPicture(sentenceOf('PICTURE_WRONG_TYPE'))
    if (small.size < SMALL_BYTES) return new File([small], name, { type: 'image/jpeg' })
  }
}

/** A whole page as a readable JPEG, also made on the phone. Null if the file isn't a picture. */
export const smallPage = (file: File) => smallWhole(file, { longest: 2000, bytes: 900_000 })

/** A photo small enough for little data and sharp enough for a vet. */
export const smallPhoto = (file: File) => smallWhole(file, { longest: 1600, bytes: SMALL_BYTES })

async function smallWhole(
  file: File,
  { longest: wanted, bytes }: { longest: number; bytes: number },
): Promise<File | null> {
  const picture = (await isPicture(file)) ? await createImageBitmap(file).catch(() => null) : null
  if (!picture) return null
  const canvas = document.createElement('canvas')
  const longest = Math.max(picture.width, picture.height)
  try {
    for (let most = wanted; ; most *= 0.85) {
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
      if (small.size < bytes)
        return new File([small], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
    }
  } finally {
    picture.close()
  }
}
