import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { Checkbox } from './checkbox.tsx'
import { PasswordField } from './password-field.tsx'
import { TextField } from './text-field.tsx'

const LONG = 'I agree to the terms and conditions, the privacy policy and all that is written under them.'

/** Elements with text whose line height is less than their font size. */
const crowded = () =>
  [...document.querySelectorAll<HTMLElement>('#form *')]
    .filter((one) => [...one.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE))
    .filter((one) => {
      const { lineHeight, fontSize } = getComputedStyle(one)
      return Number.parseFloat(lineHeight) < Number.parseFloat(fontSize)
    })
    .map(({ textContent }) => textContent)

it('at twice the text size, lines keep their spacing and icons stay centred in their fields', async () => {
  document.documentElement.style.fontSize = '200%'
  mount(
    <div id="form">
      <TextField label="Email" error={LONG} help={LONG} />
      <Checkbox label={LONG} error={LONG} />
      <PasswordField label="Password" autoComplete="new-password" />
    </div>,
  )
  await expect.element(page.getByLabelText('Email')).toBeVisible()
  expect(crowded()).toEqual([])
  const middle = (what: { element(): Element }) => {
    const { top, bottom } = what.element().getBoundingClientRect()
    return (top + bottom) / 2
  }
  const eye = middle(page.getByRole('button', { name: 'Show: Password' }))
  expect(eye).toBeCloseTo(middle(page.getByLabelText('Password')), 0)
})
