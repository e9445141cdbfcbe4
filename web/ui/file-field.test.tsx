import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { FileField } from './file-field.tsx'

const dot = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
)

function Page() {
  const [file, setFile] = useState<File | null>(null)
  return (
    <FileField
      label="Picture of your pet"
      choose="Add a picture"
      change="Change picture"
      accept="image/png"
      picture
      fallback="none yet"
      value={file}
      onValueChange={setFile}
    />
  )
}

it('the field shows the chosen picture, removes it, and takes the same file again', async () => {
  mount(<Page />)
  const picture = new File([dot], 'biscuit.png', { type: 'image/png' })
  const shown = () => document.querySelector('img')

  for (const round of [1, 2]) {
    await userEvent.upload(page.getByLabelText(/a? picture$/), picture)
    await expect.element(page.getByRole('button', { name: 'Remove biscuit.png' })).toBeVisible()
    await expect.poll(() => shown()?.naturalWidth, { message: `round ${round}` }).toBe(1)
    await page.getByRole('button', { name: 'Remove biscuit.png' }).click()
    await expect.element(page.getByText('none yet')).toBeVisible()
  }
})
