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

/** Rotated as its camera meant; null if the file isn't a picture. The caller closes it. */
const bitmapOf = async (file: Blob) =>
  (await isPicture(file))
    ? createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
    : null

export async function openPicture(file: File, maxBytes: number): Promise<ImageBitmap> {
  if (file.size > maxBytes) throw new WrongPicture(sentenceOf('PICTURE_TOO_LARGE'))
  const picture = await bitmapOf(file)
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

type Part = Size & { left: number; top: number }
const partOf = ({ left, top, side }: Square): Part => ({ left, top, width: side, height: side })

/** Draws the square onto a canvas of any size. */
export const draw = (picture: ImageBitmap, square: Square, canvas: HTMLCanvasElement) =>
  drawPart(picture, partOf(square), canvas)

/** On white where the picture is transparent. */
function drawPart(picture: ImageBitmap, { left, top, width, height }: Part, canvas: HTMLCanvasElement) {
  const context = canvas.getContext('2d')
  if (!context) throw new WrongPicture(sentenceOf('PICTURE_WRONG_TYPE'))
  context.imageSmoothingQuality = 'high'
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height)
}

/**
 * A part of a picture as a JPEG that is small enough, made on the phone before anything is sent. The file's metadata,
 * such as where it was taken, never leaves the phone.
 */
async function jpegOf(
  picture: ImageBitmap,
  part: Part,
  filename: string,
  { longest, bytes }: { longest: number; bytes: number },
): Promise<File> {
  const canvas = document.createElement('canvas')
  for (let scale = Math.min(1, longest / Math.max(part.width, part.height)); ; scale *= 0.85) {
    canvas.width = Math.max(1, Math.round(part.width * scale))
    canvas.height = Math.max(1, Math.round(part.height * scale))
    drawPart(picture, part, canvas)
    const small = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
    if (!small) throw new WrongPicture(sentenceOf('PICTURE_WRONG_TYPE'))
    if (small.size < bytes)
      return new File([small], `${filename.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
  }
}

export const cutSquare = (picture: ImageBitmap, square: Square, filename: string) =>
  jpegOf(picture, partOf(square), filename, { longest: SIDE, bytes: SMALL_BYTES })

/** A whole page that can be read. Null if the file isn't a picture. */
export const smallPage = (file: File) => smallWhole(file, { longest: 2000, bytes: 900_000 })

/** A photo small enough for little data and sharp enough for a vet. */
export const smallPhoto = (file: File) => smallWhole(file, { longest: 1600, bytes: SMALL_BYTES })

async function smallWhole(file: File, size: Parameters<typeof jpegOf>[3]): Promise<File | null> {
  const picture = await bitmapOf(file)
  if (!picture) return null
  const { width, height } = picture
  return jpegOf(picture, { left: 0, top: 0, width, height }, file.name, size)
    .catch(() => null)
    .finally(() => picture.close())
}
