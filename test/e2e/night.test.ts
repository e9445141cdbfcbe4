import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { DEMO_PASSWORD } from './people.ts'
import { accessible, DESK, PHONE, stage } from './stage.ts'

/** A product of its own: its clock is moved, and a case is left behind. */
const at = stage({ expected: /^$/ })

interface Sms {
  to: string
  text: string
}
const allSms = async () => (await (await fetch(`${at.url}/api/sandbox/sms`)).json()) as Sms[]
const linkIn = ({ text }: Sms) => /\/on-call\/\w+$/.exec(text)![0]

async function laterBy(minutes: number) {
  const { now } = await at.call<{ now: string }>('/sandbox/clock', { days: 0 })
  await at.call('/sandbox/clock', { until: new Date(Date.parse(now) + minutes * MINUTE).toISOString() })
}

/** Types into the focused field and moves to the next one. */
async function fill(page: Page, ...texts: string[]) {
  for (const text of texts) {
    if (text) await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
}

it('a night and its morning: a call by keyboard, two contacts, one answer, and Confirm [CLI-5] [VET-6] [CLI-3]', async () => {
  const page = await at.page(await at.deviceOf('vet', DESK))
  await page.goto(`${at.url}/phone`)
  const clinic = page.getByRole('combobox', { name: 'Clinic' })
  await clinic.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('two oaks')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Two Oaks Animal Clinic' }).waitFor()
  await page.keyboard.press('Tab')
  // Caller, number, pet, species, sex, age, problem.
  await fill(page, 'Nokuthula Example', '083 555 0142', 'Whiskey', 'Cat', 'Male', '5 years')
  await fill(page, 'In and out of the litter box since supper. No urine since about 22:00.')
  await page.keyboard.press('1')
  await page.keyboard.press('Tab')
  await fill(page, 'Needs a clinic tonight. No pressing on the belly.')
  await page.keyboard.press('3')
  const calls = page.getByRole('button', { name: /^Save and call Dr / })
  const first = (await calls.innerText()).replace('Save and call ', '')
  await accessible(page)
  await page.keyboard.press('Control+Enter')

  await page.getByRole('heading', { name: 'Whiskey, for Two Oaks Animal Clinic', level: 1 }).waitFor()
  await page.getByRole('heading', { name: `Waiting for ${first}`, level: 2 }).waitFor()
  await accessible(page)
  await expect.poll(async () => (await allSms()).length).toBe(1)
  const [toFirst] = await allSms()
  await page.getByText('SMS and email sent').first().waitFor()

  // The first contact sleeps: the page follows without a reload.
  await laterBy(5)
  await page.getByText('No answer for 5 minutes').waitFor()
  await expect.poll(async () => (await allSms()).length).toBe(2)
  const [toSecond] = await allSms()
  expect(toSecond!.to).not.toBe(toFirst!.to)

  const contact = await at.page(PHONE)
  await contact.goto(at.url + linkIn(toSecond!))
  await contact.getByRole('link', { name: /083 555 0142/ }).waitFor()
  await contact.getByText('Whiskey, cat, male, 5 years').waitFor()
  await accessible(contact)
  // It was opened twice, and nothing has happened yet.
  await contact.reload()
  await contact.getByRole('button', { name: 'I’m on it' }).click()
  const has = contact.getByRole('heading', { name: 'You have Whiskey’s case', level: 1 })
  await has.and(contact.locator(':focus')).waitFor()
  await accessible(contact)
  await page.getByRole('heading', { name: / is on it$/, level: 2 }).waitFor()
  const second = (await page.getByRole('heading', { name: / is on it$/, level: 2 }).innerText()).replace(
    ' is on it',
    '',
  )
  expect(second).not.toBe(first)
  await accessible(page)

  // The first contact wakes up and reads who has the case, and nothing about it.
  const late = await at.page(PHONE)
  await late.goto(at.url + linkIn(toFirst!))
  await late.getByRole('heading', { name: `${second} has the case`, level: 1 }).waitFor()
  expect(await late.locator('body').innerText()).not.toMatch(/Whiskey|Nokuthula|0142/)
  await accessible(late)

  const morning = await at.page(DESK)
  await morning.goto(`${at.url}/clinic-portal`)
  await morning.getByLabel('Username').fill('democlinic')
  await morning.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await morning.getByRole('button', { name: 'Sign in' }).click()
  const card = morning.getByRole('listitem').filter({ hasText: 'Nokuthula Example' }).first()
  await card.getByText(new RegExp(`${second} took it at`)).waitFor()
  const found = card.getByText('What was asked and advised')
  if (!(await card.getByText('Calls to your contacts').isVisible())) await found.click()
  for (const step of [`Called ${first}`, 'No answer for 5 minutes', `Acknowledged by ${second}`])
    await card.getByText(step).waitFor()
  await card.getByRole('button', { name: 'Confirm Whiskey' }).click()
  await card.getByText('Accepted', { exact: true }).waitFor()
  await accessible(morning)
})
