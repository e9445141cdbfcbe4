import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { Button } from './button.tsx'
import { Combobox } from './combobox.tsx'
import { Dialog } from './dialog.tsx'

const breeds = ['Beagle', 'Boxer'].map((label) => ({ value: label, label }))

function Page() {
  const [open, setOpen] = useState(false)
  const [breed, setBreed] = useState('')
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add a pet</Button>
      {open && (
        <Dialog onClose={() => setOpen(false)} title="A new pet">
          <Combobox
            label="Breed"
            says={{ all: 'breeds', choose: '', found: (count) => `${count} breeds` }}
            options={breeds}
            value={breed}
            onValueChange={setBreed}
          />
        </Dialog>
      )}
    </>
  )
}

const show = () => mount(<Page />)

const dialog = () => page.getByRole('dialog', { name: 'A new pet' })
const opener = () => page.getByRole('button', { name: 'Add a pet' })

it('a dialog takes the focus, keeps it inside and the page behind still, closes on Escape and gives the focus back', async () => {
  show()
  await opener().click()
  await expect.element(page.getByRole('heading', { name: 'A new pet' })).toHaveFocus()
  for (let press = 0; press < 6; press++) await userEvent.tab()
  expect(
    document.activeElement === document.body || dialog().element().contains(document.activeElement),
  ).toBe(true)
  expect(getComputedStyle(document.documentElement).overflowY).toBe('hidden')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(opener()).toHaveFocus()
})

it('a dialog gives the focus to the heading above what opened it, if that disappears with it', async () => {
  function Pets() {
    const [there, setThere] = useState(true)
    const [open, setOpen] = useState(false)
    return (
      <main>
        <h1>Your account</h1>
        <section>
          <h2>Your pets</h2>
          {there && <Button onClick={() => setOpen(true)}>Remove Rex</Button>}
        </section>
        {open && (
          <Dialog title="Remove Rex?">
            <Button
              onClick={() => {
                setThere(false)
                setOpen(false)
              }}
            >
              Remove
            </Button>
          </Dialog>
        )}
      </main>
    )
  }
  mount(<Pets />)
  await page.getByRole('button', { name: 'Remove Rex' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByRole('heading', { name: 'Your pets' })).toHaveFocus()
})

it('a dialog lets Escape close an open list first', async () => {
  show()
  await opener().click()
  await page.getByRole('combobox').fill('b')
  await expect.element(page.getByRole('option', { name: 'Boxer' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('option', { name: 'Boxer' })).not.toBeInTheDocument()
  await expect.element(dialog()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
})

it('a dialog closes on a click outside, but not on one that began inside', async () => {
  show()
  await opener().click()
  const box = dialog().element()
  const heading = page.getByRole('heading', { name: 'A new pet' }).element()
  heading.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  box.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await expect.element(dialog()).toBeVisible()
  box.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  box.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await expect.element(dialog()).not.toBeInTheDocument()
})

it('a dialog whose title has a very long word keeps its closing cross inside', async () => {
  const name = 'Wolfeschlegelsteinhausenbergerdorffweltmeister'
  mount(
    <Dialog onClose={() => {}} title={`Hand over ${name}`}>
      Its text
    </Dialog>,
  )
  const right = (part: ReturnType<typeof dialog>) => part.element().getBoundingClientRect().right
  const cross = page.getByRole('button', { name: 'Close' })
  await expect.element(cross).toBeVisible()
  expect(right(cross)).toBeLessThan(right(page.getByRole('dialog')))
})
