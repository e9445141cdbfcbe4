import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import type { Pet } from '#contract/pets.ts'
import { makeQueryClient } from '../lib/query-client.ts'
import { myPets } from '../pets/queries.ts'
import { StartConsultDialog } from './start-consult-dialog.tsx'

const biscuit: Pet = {
  id: 1,
  name: 'Biscuit',
  species_id: 1,
  breed_id: null,
  breed: null,
  sex: null,
  dob: null,
  desexed: null,
  microchip: '',
  pet_image: null,
  pawcare_pets: [],
  cover: { state: 'covered', from: null, why: null },
  policy: null,
  care: [],
}
const CLOSED = ERRORS.CONSULT_CLOSED_HOURS.message.replace('{hours}', '6:00am to 12:00am SYD Time')

let leave = () => {}
const addPet = vi.fn()
function show(pets: Pet[]) {
  const client = makeQueryClient(() => {})
  client.setQueryData(myPets.queryKey, pets)
  const root = document.body.appendChild(document.createElement('div'))
  const react = createRoot(root)
  react.render(
    <QueryClientProvider client={client}>
      <StartConsultDialog type={1} open={undefined} onClose={() => {}} onAddPet={addPet} />
    </QueryClientProvider>,
  )
  leave = () => {
    react.unmount()
    root.remove()
  }
}

const press = () => page.getByRole('button', { name: 'Start text consult' }).click()
beforeEach(() => sessionStorage.clear())
afterEach(() => {
  leave()
  vi.unstubAllGlobals()
})

it('asks for a pet first where there is none [ACC-7]', async () => {
  show([])
  await expect.element(page.getByText('Add pet before starting a consult')).toBeVisible()
  await page.getByRole('button', { name: 'Add pet' }).click()
  expect(addPet).toHaveBeenCalledOnce()
})

it("without text or consent it says so in the seed's words [ACC-6, ACC-7]", async () => {
  show([biscuit])
  await press()
  await expect
    .element(page.getByText(ERRORS.CONSULT_DETAILS_MISSING.message, { exact: false }).first())
    .toBeVisible()
  await expect
    .element(page.getByText(ERRORS.CONSULT_TERMS_NOT_AGREED.message, { exact: false }).first())
    .toBeInTheDocument()
  for (const [name, address] of [
    ['terms and conditions', '/terms-and-conditions'],
    ['privacy policy', '/privacy-policy'],
  ] as const)
    await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', address)
})

it('out of hours a dialog says when, and what was typed stays [ACC-9]', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ errors: [CLOSED], code: 'CONSULT_CLOSED_HOURS' }, { status: 409 }),
  )
  show([biscuit])
  await page.getByLabelText('What is wrong?').fill('He limps.')
  await page.getByRole('checkbox').click()
  await press()
  await expect.element(page.getByText(CLOSED)).toBeVisible()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect.element(page.getByLabelText('What is wrong?')).toHaveValue('He limps.')
  expect(sessionStorage.getItem('draft:consult')).toContain('He limps.')
})

it('without a network it says that nothing was started, and keeps what was typed [ACC-8]', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  show([biscuit])
  await page.getByLabelText('What is wrong?').fill('He limps.')
  await page.getByRole('checkbox').click()
  await press()
  await expect.element(page.getByText('no consult was started', { exact: false })).toBeVisible()
  await expect.element(page.getByLabelText('What is wrong?')).toHaveValue('He limps.')
})
