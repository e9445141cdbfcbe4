import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { setUserType } from '#contract/vets.ts'
import { api } from './api.ts'

const refused = (code: string, status: number, more: object = {}) =>
  Response.json({ errors: [`Refused: ${code}`], code, ...more }, { status })

/** A server that wants the password again before any other call. */
function server() {
  const asked: string[] = []
  let given = false
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string }) => {
    asked.push(url)
    if (!url.endsWith('/confirm-password')) return given ? Response.json({}) : refused('PASSWORD_AGAIN', 403)
    given = body === '{"password":"right"}'
    const wrong = { fields: { password: 'Refused: CURRENT_PASSWORD_WRONG' } }
    return given ? Response.json({}) : refused('CURRENT_PASSWORD_WRONG', 400, wrong)
  })
  return asked
}
const field = () => page.getByLabelText('Your password', { exact: true })

it('the password is asked for once for two dangerous calls, and both are repeated [ADM-3]', async () => {
  const asked = server()
  const acts = Promise.all([1, 2].map((id) => api(setUserType, { id, type: 2 })))
  await field().fill('wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByText('Refused: CURRENT_PASSWORD_WRONG').first()).toBeVisible()
  await field().fill('right')
  await page.getByRole('button', { name: 'Continue' }).click()
  await acts
  expect(asked.filter((url) => url.includes('type'))).toHaveLength(4)
  expect(document.querySelector('dialog')).toBeNull()
})

it('nothing changes if the person cancels [ADM-3]', async () => {
  server()
  const act = api(setUserType, { id: 1, type: 2 }).catch((error: Error) => error.message)
  await field().fill('anything')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await act).toBe('Refused: PASSWORD_AGAIN')
})
