import { expect, it } from 'vitest'
import { endConsultation, saveNote } from '#contract/clinical.ts'
import { type Call, type Input, type Output, urlOf } from '#contract/call.ts'
import { takeConsultation } from '#contract/queue.ts'
import { callAt, consultAt, DEMO_PASSWORD, remembered, tokenOf } from './people.ts'
import { accessible, DESK, PHONE, stage } from './stage.ts'

/** A product of its own, because a case is left behind. The browser logs the refused password. */
const at = stage({ expected: /status of 401/ })

function call<C extends Call>(token: string, definition: C, input: Input<C>) {
  const { url, body } = urlOf(definition, input as object)
  return callAt<Output<C>>(at.url, url, body, token, definition.method)
}

it("a clinic learns of a night's case, reads and confirms it in the morning, and prints it [CLI-1] [CLI-2] [CLI-3]", async () => {
  const [owner, vet] = [await tokenOf('owner', at.url), await tokenOf('vet', at.url)]
  const question = 'He ate a whole packet of grapes at midnight.'
  const { id, pet } = await consultAt(at.url, owner, question)

  const sharing = await at.page({ ...PHONE, storageState: remembered(at.url, owner) } as typeof PHONE)
  await sharing.goto(`${at.url}/text-chat/${id}`)
  await sharing.getByRole('button', { name: 'More' }).click()
  await sharing.getByRole('menuitem', { name: 'Share with your own clinic' }).click()
  await sharing.getByLabel('Clinic or town').fill('two oaks')
  await sharing.getByRole('radio', { name: /Two Oaks/ }).check({ force: true })
  await accessible(sharing)
  await sharing.getByRole('button', { name: 'Share with Two Oaks Animal Clinic' }).click()
  await sharing.getByRole('dialog').waitFor({ state: 'detached' })

  await call(vet, takeConsultation, { id })
  const note = {
    summary: 'He ate at least 30 grapes.',
    plan: 'Keep him in sight.',
    outcome: 'own_vet',
  } as const
  const { version } = await call(vet, saveNote, { id, version: 0, ...note })

  // The portal is open while the consult ends, and shows the case without a reload.
  const page = await at.page(DESK)
  await page.goto(`${at.url}/clinic-portal`)
  await page.getByLabel('Username').waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Username or password field is empty.').first().waitFor()
  const sign = async (password: string) => {
    await page.getByLabel('Username').fill('democlinic')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await sign('wrong')
  await page.getByRole('button', { name: 'Ok' }).click()
  await accessible(page)
  await sign(DEMO_PASSWORD)
  await page.getByRole('heading', { name: /^Since/, level: 1 }).waitFor()
  await call(vet, endConsultation, { id, version })
  const card = page.getByRole('listitem').filter({ hasText: question })
  await card.getByRole('button', { name: `Confirm ${pet}` }).waitFor()
  await expect.poll(async () => (await at.mailsTo('twooaks@demo.vetchat.example')).length).toBe(1)
  await accessible(page)
  await card.getByText(note.summary).first().waitFor()
  await card.getByRole('button', { name: `Confirm ${pet}` }).click()
  await card.getByText('Accepted').waitFor()
  expect(await card.innerText()).toContain('Two Oaks Animal Clinic')
  await page.locator(':focus', { hasText: 'Accepted' }).waitFor()

  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { name: /^Two Oaks Animal Clinic\. Since/ }).waitFor()
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
  await page.emulateMedia({ media: 'screen' })

  await page.getByRole('link', { name: /Calls you didn’t have to take/ }).click()
  await page.getByRole('table', { name: 'Calls by week' }).waitFor()
  await accessible(page)
  await page.getByRole('button', { name: 'democlinic' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Username').waitFor()
  expect(await page.evaluate("sessionStorage.getItem('clinicToken')")).toBeNull()
  await page.waitForURL(`${at.url}/clinic-portal`)
})
