import { expect, it } from 'vitest'
import { cutSquare, middleOf, moved, openPicture, SMALL_BYTES, zoomed, zoomOf } from './picture.ts'

const LIMIT = 16_777_216

async function fileOf(canvas: HTMLCanvasElement, type: string) {
  const blob = await new Promise<Blob>((resolve) => canvas.toBlob((made) => resolve(made!), type, 1))
  return new File([blob], 'biscuit.png', { type })
}

function canvasOf(width: number, height: number) {
  const canvas = document.createElement('canvas')
  ;[canvas.width, canvas.height] = [width, height]
  return { canvas, draw: canvas.getContext('2d')! }
}

/** A picture that hardly compresses: noise all over. */
async function noise(width: number, height: number, type = 'image/jpeg') {
  const { canvas, draw } = canvasOf(width, height)
  const pixels = draw.createImageData(width, height)
  for (let at = 0; at < pixels.data.length; at += 65_536)
    crypto.getRandomValues(pixels.data.subarray(at, Math.min(at + 65_536, pixels.data.length)))
  draw.putImageData(pixels, 0, 0)
  return fileOf(canvas, type)
}

/** Red left of blue, marked by the camera as turned by a quarter to the side. */
async function turned() {
  const { canvas, draw } = canvasOf(80, 40)
  draw.fillStyle = 'red'
  draw.fillRect(0, 0, 40, 40)
  draw.fillStyle = 'blue'
  draw.fillRect(40, 0, 40, 40)
  const plain = new Uint8Array(await (await fileOf(canvas, 'image/jpeg')).arrayBuffer())
  const note = '\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0'
  const parts = [plain.slice(0, 2), Uint8Array.from(note, (letter) => letter.charCodeAt(0)), plain.slice(2)]
  return new File(parts, 'turned.jpg', { type: 'image/jpeg' })
}

async function sent(file: File) {
  const picture = await openPicture(file, LIMIT)
  return cutSquare(picture, middleOf(picture), file.name)
}

it.each(['image/jpeg', 'image/png'])(
  'a large %s leaves the phone as a small square [PET-4]',
  async (type) => {
    const large = await noise(2000, 1500, type)
    expect(large.size).toBeGreaterThan(1_000_000)
    const small = await sent(large)
    expect([small.type, small.name, small.size < SMALL_BYTES]).toEqual(['image/jpeg', 'biscuit.jpg', true])
    const { width, height } = await createImageBitmap(small)
    expect(width).toBe(height)
    expect(width).toBeLessThanOrEqual(800)
  },
)

it('a small picture is not made larger [PET-4]', async () => {
  const { width, height } = await createImageBitmap(await sent(await noise(90, 60)))
  expect([width, height]).toEqual([60, 60])
})

it('a photo that was taken sideways is turned the right way up [PET-4]', async () => {
  const picture = await openPicture(await turned(), LIMIT)
  expect([picture.width, picture.height]).toEqual([40, 80])
  const top = await createImageBitmap(await cutSquare(picture, { left: 0, top: 0, side: 40 }, 'a.jpg'))
  const { draw } = canvasOf(40, 40)
  draw.drawImage(top, 0, 0)
  const [red, , blue] = draw.getImageData(20, 20, 1, 1).data
  expect(red! > 200 && blue! < 60, 'what was left is now on top').toBe(true)
})

it('the square stays inside the picture however it is moved and zoomed [PET-4]', () => {
  const picture = { width: 1200, height: 900 }
  const whole = middleOf(picture)
  expect(whole).toEqual({ left: 150, top: 0, side: 900 })
  expect(moved(picture, whole, 10, 10)).toEqual({ left: 0, top: 0, side: 900 })
  expect(moved(picture, whole, -10, -10)).toEqual({ left: 300, top: 0, side: 900 })
  const half = zoomed(picture, whole, 2)
  expect([half, zoomOf(picture, half)]).toEqual([{ left: 375, top: 225, side: 450 }, 2])
  expect(moved(picture, half, 0.5, 0)).toEqual({ ...half, left: 150 })
  expect(zoomed(picture, whole, 2, 0, 0), 'the corner under the fingers stays').toEqual({
    left: 150,
    top: 0,
    side: 450,
  })
  expect(zoomed(picture, whole, 99).side).toBe(225)
  expect(zoomed(picture, half, 0.1)).toEqual(whole)
})

it("a file that isn't a picture is refused in the seed's words, judged by content and not by name [PET-4]", async () => {
  const gif = new File(['GIF89a,,,,,,,,,'], 'cat.jpg', { type: 'image/jpeg' })
  await expect(openPicture(gif, LIMIT)).rejects.toThrow('Error : Incorrect file type')
  const broken = new File([Uint8Array.of(0xff, 0xd8, 0xff, 0, 1, 2)], 'cat.jpg', { type: 'image/jpeg' })
  await expect(openPicture(broken, LIMIT)).rejects.toThrow('Error : Incorrect file type')
  await expect(openPicture(await noise(90, 60), 100)).rejects.toThrow('Error : Exceeded size 16MB')
})
