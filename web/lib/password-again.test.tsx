import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { sentenceOf } from '#contract/errors.ts'
import { setUserType } from '#contract/vets.ts'
import { refuse } from '../test/turns.ts'
import { answerCalls } from '../test/visit.tsx'
import { api } from './api.ts'

/** A server that wants the password again before any other call. */
function server() {
  let given = false
  const wrong = { fields: { password: sentenceOf('CURRENT_PASSWORD_WRONG') } }
  return answerCalls((path, body) => {
    const asks = path.endsWith('/confirm-password')
    if (asks) given = (body as { password: string }).password === 'right'
    return given ? {} : asks ? refuse('CURRENT_PASSWORD_WRONG', wrong)() : refuse('PASSWORD_AGAIN')()
  })
}
const field = () => page.getByLabelText('Your password')

it('the password is asked for once for two dangerous calls, and both are repeated [ADM-3]', async () => {
  const sent = server()
  const acts = Promise.all([1, 2].map((id) => api(setUserType, { id, type: 2 })))
  await field().fill('wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByText(sentenceOf('CURRENT_PASSWORD_WRONG')).first()).toBeVisible()
  await field().fill('right')
  await page.getByRole('button', { name: 'Continue' }).click()
  await acts
  expect(sent.filter(([path]) => path.includes('type'))).toHaveLength(4)
  expect(document.querySelector('dialog')).toBeNull()
})

it('nothing changes if the person cancels [ADM-3]', async () => {
  server()
  const act = api(setUserType, { id: 1, type: 2 }).catch((error: Error) => error.message)
  await field().fill('anything')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await act).toBe(sentenceOf('PASSWORD_AGAIN'))
})
