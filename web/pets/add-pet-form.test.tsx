import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { mount } from '../test/mount.tsx'
import { lost, ok, refuse, type Turn } from '../test/turns.ts'
import { answerCalls } from '../test/visit.tsx'
import { AddPetForm } from './add-pet-form.tsx'

const FOUND = { policy: { policy: 'PC-7', pet_name: 'Pixel', pet_type: 3 } }
const ADDED = { id: 9, name: 'Pixel', policy: { policy: 'PC-7', confirmed: false } }

const answers = (of: Record<string, Turn>) => answerCalls((path) => (of[path] ?? lost)())
const press = (name: string) => page.getByRole('button', { name }).click()
async function lookUp(policy: string) {
  await page.getByLabelText('Policy number').fill(policy)
  await press('Look up policy')
}
const agree = () => page.getByRole('checkbox').click()

it('an unknown or missing policy number has its error beside the field [PET-9]', async () => {
  answers({ '/pet/policy/XX': refuse('POLICY_INVALID') })
  mount(<AddPetForm />)
  await press('Look up policy')
  await expect.element(page.getByText('Enter the number shown on your policy.')).toBeVisible()
  await lookUp('XX')
  await expect.element(page.getByText('Invalid Policy Number')).toBeVisible()
  await expect.element(page.getByLabelText('Policy number')).toHaveAttribute('aria-invalid', 'true')
})

it('too many tries and a lost connection are reported, and the number stays [PET-9] [D15]', async () => {
  const says = ERRORS.TOO_MANY_TRIES.message.replace('{minutes}', '10')
  answers({ '/pet/policy/XX': () => Response.json({ errors: [says] }, { status: 429 }) })
  mount(<AddPetForm />)
  await lookUp('XX')
  await expect.element(page.getByText(says)).toBeVisible()
  await lookUp('YY')
  await expect.element(page.getByText('the policy wasn’t looked up', { exact: false })).toBeVisible()
  await expect.element(page.getByLabelText('Policy number')).toHaveValue('YY')
})

it('the code can be typed straight away when the holder has another email [PET-9] [D15]', async () => {
  const sent = answers({
    '/pet/policy/PC-7': ok(FOUND),
    '/pet': ok(ADDED),
    '/pet/policy/confirm': ok({}),
  })
  mount(<AddPetForm />)
  await lookUp('PC-7')
  await expect
    .element(page.getByRole('status').filter({ hasText: 'We found the policy' }).first())
    .toHaveFocus()
  await press('Add new pet')
  await expect.element(page.getByText(ERRORS.PET_TERMS_NOT_AGREED.message)).toBeVisible()
  await agree()
  await press('Add new pet')
  await expect.element(page.getByText('until then, nothing is covered', { exact: false })).toBeVisible()
  await page.getByLabelText('Code from the email').fill('K7-22')
  await press('Confirm policy')
  await expect.element(page.getByText('The policy is confirmed.', { exact: false })).toBeVisible()
  expect(sent.at(-1)).toEqual(['/pet/policy/confirm', { code: 'K7-22' }])
})
