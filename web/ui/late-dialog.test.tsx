import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { LateDialog } from './late-dialog.tsx'

it('a dialog shows its form when its script loads on the second try [ACC-10]', async () => {
  let tries = 0
  const load = async () => {
    if (++tries === 1) throw new TypeError('no network')
    return 'New email'
  }
  mount(
    <LateDialog load={load} title="Change email" onClose={() => {}}>
      {(words) => <p>{words}</p>}
    </LateDialog>,
  )
  await expect.element(page.getByText('We couldn’t load this form')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('New email')).toBeVisible()
})
