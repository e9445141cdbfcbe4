import { expect, it } from 'vitest'
import { SMALL_BYTES, smallSquare } from './picture.ts'

const LIMIT = 16_777_216

/** A picture that hardly lets itself be made small: noise all over. */
async function noise(width: number, height: number, type = 'image/jpeg') {
  const canvas = document.createElement('canvas')
  ;[canvas.width, canvas.height] = [width, height]
  const draw = canvas.getContext('2d')!
  const pixels = draw.createImageData(width, height)
  for (let at = 0; at < pixels.data.length; at += 65_536)
    crypto.getRandomValues(pixels.data.subarray(at, Math.min(at + 65_536, pixels.data.length)))
  draw.putImageData(pixels, 0, 0)
  const blob = await new Promise<Blob>((resolve) => canvas.toBlob((made) => resolve(made!), type, 1))
  return new File([blob], 'biscuit.png', { type })
}

it.each(['image/jpeg', 'image/png'])(
  'a large %s leaves the phone as a small square [PET-4]',
  async (type) => {
    const large = await noise(2000, 1500, type)
    expect(large.size).toBeGreaterThan(1_000_000)
    const small = await smallSquare(large, LIMIT)
    expect([small.type, small.name, small.size < SMALL_BYTES]).toEqual(['image/jpeg', 'biscuit.jpg', true])
    const { width, height } = await createImageBitmap(small)
    expect(width).toBe(height)
    expect(width).toBeLessThanOrEqual(1200)
  },
)

it('a small picture is not made larger [PET-4]', async () => {
  const { width, height } = await createImageBitmap(await smallSquare(await noise(90, 60), LIMIT))
  expect([width, height]).toEqual([60, 60])
})

it("what is no picture is refused in the seed's words, by content and not by name [PET-4]", async () => {
  const gif = new File(['GIF89a,,,,,,,,,'], 'cat.jpg', { type: 'image/jpeg' })
  await expect(smallSquare(gif, LIMIT)).rejects.toThrow('Error : Incorrect file type')
  const broken = new File([Uint8Array.of(0xff, 0xd8, 0xff, 0, 1, 2)], 'cat.jpg', { type: 'image/jpeg' })
  await expect(smallSquare(broken, LIMIT)).rejects.toThrow('Error : Incorrect file type')
  await expect(smallSquare(await noise(90, 60), 100)).rejects.toThrow('Error : Exceeded size 16MB')
})
