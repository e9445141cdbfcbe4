import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { Combobox } from './combobox.tsx'

const breeds = ['Beagle', 'Boxer', 'Golden Retriever', 'Labrador Retriever', 'Löwchen'].map((label) => ({
  value: label.toLowerCase(),
  label,
}))

function Page() {
  const [breed, setBreed] = useState('')
  return (
    <>
      <Combobox
        label="Breed"
        says={{
          all: 'breeds',
          choose: 'Choose a breed from the list',
          found: (count) => (count === 1 ? '1 breed' : `${count} breeds`),
        }}
        options={breeds}
        value={breed}
        onValueChange={setBreed}
      />
      <output>{breed}</output>
      <button type="button">Next</button>
    </>
  )
}

const show = () => mount(<Page />)

const box = () => page.getByRole('combobox', { name: 'Breed' })
const value = () => page.getByRole('status').last()

it('a list is searched by typing, says how many match, and is chosen from by keyboard', async () => {
  show()
  await box().fill('retr')
  await expect.element(page.getByRole('status').first()).toHaveTextContent('2 breeds')
  expect(document.querySelector('mark')?.textContent).toBe('Retr')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(value()).toHaveTextContent('labrador retriever')
  await expect.element(box()).toHaveValue('Labrador Retriever')
  await expect.element(box()).toHaveAttribute('aria-expanded', 'false')
})

it('the first arrow down goes to the first choice, and the first arrow up to the last', async () => {
  show()
  await box().click()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(page.getByRole('option', { name: 'Löwchen' })).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Escape}{ArrowDown}{ArrowDown}')
  await expect.element(page.getByRole('option', { name: 'Beagle' })).toHaveAttribute('aria-selected', 'true')
})

it('typing ignores accents, and the only match is taken when the focus moves on', async () => {
  show()
  await box().fill('lowch')
  await userEvent.tab()
  await expect.element(value()).toHaveTextContent('löwchen')
})

it('text that matches nothing stays, with what to do', async () => {
  show()
  await box().fill('labradoodle')
  await userEvent.tab()
  await expect.element(box()).toHaveValue('labradoodle')
  await expect.element(page.getByText('Choose a breed from the list')).toBeVisible()
  await expect.element(box()).toHaveAttribute('aria-invalid', 'true')
})

function Late() {
  const [here, setHere] = useState(false)
  const [breed, setBreed] = useState('')
  return (
    <>
      <Combobox
        label="Breed"
        says={{ all: 'breeds', choose: 'Choose a breed from the list', found: String }}
        options={here ? breeds : []}
        pending={here ? undefined : 'Loading the breeds…'}
        value={breed}
        onValueChange={setBreed}
      />
      <output>{breed}</output>
      <button type="button" onClick={() => setHere(true)}>
        Come
      </button>
    </>
  )
}

it('somebody who types early reads that the list is loading, and finds matches once it has loaded', async () => {
  mount(<Late />)
  await box().fill('beagle')
  await expect.element(page.getByText('Loading the breeds…').first()).toBeVisible()
  expect(document.body.textContent).not.toContain('Nothing here matches')
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Come' }).click()
  await expect.element(value()).toHaveTextContent('beagle')
  await expect.element(box()).toHaveValue('Beagle')
})
