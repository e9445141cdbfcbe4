import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { samplePicture } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { AttachmentView } from './attachment.tsx'

const RED = 'data:image/gif;base64,R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs='

async function open() {
  mount(<AttachmentView attachment={samplePicture({ url: RED })} tail="" said="Photo from Thandi, 17:58" />)
  await userEvent.click(page.getByRole('link', { name: 'Photo from Thandi, 17:58' }))
  await expect.element(page.getByRole('dialog', { name: 'Photo from Thandi, 17:58' })).toBeVisible()
}
const shape = () => document.querySelector<HTMLImageElement>('dialog img')!.style.transform

it('a picture can be turned and zoomed, by buttons and by keys [CON-4]', async () => {
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Turn right' }))
  expect(shape()).toContain('rotate(90deg)')
  await userEvent.click(page.getByRole('button', { name: 'Zoom in' }))
  await expect.element(page.getByRole('status')).toHaveTextContent('150%')
  await userEvent.keyboard('{ArrowLeft}')
  expect(shape()).toContain('translate(60px, 0px)')
  await userEvent.keyboard('r')
  expect(shape()).toBe('translate(0px, 0px) rotate(180deg) scale(1)')
  await expect
    .element(page.getByRole('button', { name: 'Zoom out' }))
    .toHaveAttribute('aria-disabled', 'true')
})

it('Escape closes the picture viewer, and the focus is back at the picture [CON-4]', async () => {
  await open()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement?.getAttribute('href')).toBe(RED)
})
