import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { visit } from '../test/visit.tsx'
import Claim from './claim.page.tsx'

it('the page asks the visitor to open the link again when its code is gone [LOG-14]', async () => {
  visit('/claim/:code?', '/claim', Claim, () => Response.json({}))
  await expect.element(page.getByText('Please open the link in our email again.')).toBeVisible()
  await expect.element(page.getByLabelText('Password')).not.toBeInTheDocument()
})
