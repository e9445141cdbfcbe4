import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import type { Square } from '../lib/picture.ts'
import { CropDialog } from './crop-dialog.tsx'

const cut = vi.fn<(square: Square) => void>()
const close = vi.fn()

async function show() {
  const canvas = document.createElement('canvas')
  ;[canvas.width, canvas.height] = [1200, 900]
  canvas.getContext('2d')
  const picture = await createImageBitmap(canvas)
  mount(<CropDialog picture={picture} onCut={cut} onClose={close} />)
  const stage = page.getByRole('slider', { name: 'Part of the picture that is shown' })
  await expect.element(stage).toHaveFocus()
  return stage
}
afterEach(() => {
  vi.clearAllMocks()
})

async function used() {
  await page.getByRole('button', { name: 'Use this picture' }).click()
  return cut.mock.lastCall![0]
}

it('the keys move and zoom, and Reset undoes it [PET-4]', async () => {
  const stage = await show()
  await userEvent.keyboard('{ArrowRight}')
  expect((await used()).left).toBe(105)
  ;(stage.element() as HTMLElement).focus()
  await userEvent.keyboard('+')
  const { side } = await used()
  expect(side).toBeCloseTo(900 / 1.1)
  await page.getByRole('button', { name: 'Reset' }).click()
  expect(await used()).toEqual({ left: 150, top: 0, side: 900 })
})

it('the middle is used when nobody moves the picture, and the slider zooms about it [PET-4]', async () => {
  await show()
  expect(await used()).toEqual({ left: 150, top: 0, side: 900 })
  await page.getByRole('slider', { name: 'Zoom' }).fill('2')
  expect(await used()).toEqual({ left: 375, top: 225, side: 450 })
})

/** A finger that touches, moves and lifts, made of events because a test has only one pointer. */
function finger(stage: HTMLElement, pointerId: number) {
  stage.setPointerCapture = () => {}
  function send(type: string, x: number, y: number) {
    // Measured each time, because the dialog grows as it opens.
    const { left, top, width } = stage.getBoundingClientRect()
    const at = { clientX: left + x * width, clientY: top + y * width }
    stage.dispatchEvent(new PointerEvent(type, { pointerId, bubbles: true, ...at }))
  }
  return {
    down: (x: number, y: number) => send('pointerdown', x, y),
    move: (x: number, y: number) => send('pointermove', x, y),
    up: () => send('pointerup', 0, 0),
  }
}

it('one finger moves the picture, and two zoom it [PET-4]', async () => {
  const stage = (await show()).element() as HTMLElement
  const thumb = finger(stage, 1)
  thumb.down(0.5, 0.5)
  thumb.move(0.6, 0.5)
  thumb.up()
  expect((await used()).left).toBeCloseTo(60, -1)
  await page.getByRole('button', { name: 'Reset' }).click()

  const other = finger(stage, 2)
  thumb.down(0.4, 0.5)
  other.down(0.6, 0.5)
  thumb.move(0.3, 0.5)
  other.move(0.7, 0.5)
  thumb.up()
  other.up()
  const pinched = await used()
  expect(pinched.side).toBeCloseTo(450, -1)
  expect(pinched.left).toBeCloseTo(375, -1)
})

it('Cancel discards the picture [PET-4]', async () => {
  await show()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(close).toHaveBeenCalledOnce()
  expect(cut).not.toHaveBeenCalled()
})
