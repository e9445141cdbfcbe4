import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { DateField } from './date-field.tsx'

function Page({ given }: { given: string }) {
  const [born, setBorn] = useState(given)
  return (
    <>
      <DateField label="Date of birth" value={born} onValueChange={setBorn} />
      <output>{born}</output>
    </>
  )
}

const show = (given = '') => mount(<Page given={given} />)

const field = () => page.getByLabelText('Date of birth')
const value = () => page.getByRole('status')

it('the field reads digits alone, and adds the slashes', async () => {
  show()
  await field().click()
  await userEvent.keyboard('14022020')
  await expect.element(field()).toHaveValue('14/02/2020')
  await expect.element(value()).toHaveTextContent('2020-02-14')
  await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}')
  await expect.element(field()).toHaveValue('14/02')
})

it('the field reads other ways to write a date, and shows it in its own format', async () => {
  show('2020-02-14')
  await expect.element(field()).toHaveValue('14/02/2020')
  await field().fill('3-7-2019')
  await expect.element(value()).toHaveTextContent('2019-07-03')
  await userEvent.tab()
  await expect.element(field()).toHaveValue('03/07/2019')
})

it('the field reads a pasted date with the year first or with spaces around it, and cuts nothing off', async () => {
  show()
  await field().fill('2020-02-14')
  await expect.element(value()).toHaveTextContent('2020-02-14')
  await userEvent.tab()
  await expect.element(field()).toHaveValue('14/02/2020')
  await field().fill(' 03/07/2019 ')
  await expect.element(value()).toHaveTextContent('2019-07-03')
  await field().fill('14 February 2020')
  await expect.element(field()).toHaveValue('14 February 2020')
})

it("the field returns a day that doesn't exist as it was typed", async () => {
  show()
  await field().fill('31/02/2020')
  await expect.element(value()).toHaveTextContent('31/02/2020')
})
