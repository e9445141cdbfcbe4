import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { Button } from './button.tsx'

/** Like a call, it's busy only a moment after the press. */
function Page() {
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState(0)
  const ask = () => {
    setAsked((count) => count + 1)
    setTimeout(() => setBusy(true), 100)
  }
  return (
    <>
      <Button busy={busy} busyLabel="Opening…" onClick={ask}>
        Open
      </Button>
      <button type="button" onClick={() => setBusy(false)}>
        Answer
      </button>
      <output>{asked}</output>
    </>
  )
}

it('a double tap calls once, and after the answer the next press counts straight away', async () => {
  mount(<Page />)
  const asked = page.getByRole('status')
  await page.getByText('Open').dblClick()
  await expect.element(asked).toHaveTextContent('1')
  await expect.element(page.getByRole('button').first()).toHaveAttribute('aria-busy', 'true')
  await userEvent.click(page.getByText('Answer'))
  await expect.element(page.getByRole('button').first()).not.toHaveAttribute('aria-busy')
  await page.getByRole('button').first().click()
  await expect.element(asked).toHaveTextContent('2')
})
