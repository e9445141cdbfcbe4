import { page } from 'vitest/browser'

export const field = (label: string) => page.getByLabelText(label, { exact: true })

export async function fillCard() {
  await page.getByRole('textbox', { name: /^Card number/ }).fill('4242424242424242')
  await page.getByLabelText(/^Expiry date/).fill('0931')
  await page.getByLabelText(/^Security code/).fill('123')
}

/** What a buyer typed about themselves and their pet, as a form's draft keeps it. */
export const TYPED = {
  species: '1',
  name: 'Biscuit',
  breed: '7',
  firstName: 'Thandi',
  lastName: 'Mokoena',
  email: 'thandi@example.com',
  mobile: '082 123 4567',
}
