import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { field, fillConsult, payByCard, ready, setPassword } from './forms.ts'
import { freePort } from './product.ts'
import { accessible, PHONE, stage } from './stage.ts'

const BOSS = 'boss@vets.example'
const VET = 'lerato@vets.example'
const OWNER = 'thandi@owners.example'
const DESK = { viewport: { width: 1440, height: 1000 } }

const dataDir = mkdtempSync(path.join(tmpdir(), 'vetchat-first-day-'))
const port = await freePort()
const env = { DEMO: 'off' }
execFileSync(process.execPath, ['scripts/admin.ts', BOSS, '--new'], {
  stdio: 'ignore',
  env: { ...process.env, ...env, DATA_DIR: dataDir, PORT: String(port) },
})
const at = stage({ expected: /status of 404/, env, dataDir, port })

const claimLink = (to: string) => at.mailed(to, /http\S+\/claim\/\S+/)

async function buyConsult(page: Page) {
  await page.goto(`${at.url}/chat-purchase`)
  await page.getByRole('button', { name: 'Dog', exact: true }).click()
  await page.getByRole('button', { name: 'None of these' }).click()
  await ready(page)
  await fillConsult(page, OWNER)
  await payByCard(page)
  await page.waitForURL(/\/text-chat\/\d+$/)
}

it("an admin's first day on an empty service: a vet, a shift, a page, a sale, a refund, the figures [ADM-1] [ADM-2] [ADM-3] [ADM-8] [OPS-8]", async () => {
  const admin = await at.page(DESK)
  await setPassword(admin, await claimLink(BOSS))
  await admin.goto(`${at.url}/admin`)
  await admin.getByRole('heading', { name: 'Resources', level: 1 }).waitFor()

  await admin.goto(`${at.url}/admin/vets`)
  await admin.getByText('No vets yet').waitFor()
  await field(admin, 'Person’s email').fill(VET)
  await admin.getByRole('button', { name: 'Look up' }).click()
  await admin.getByRole('button', { name: 'Invite them as a vet' }).click()
  await field(admin, 'First name').fill('Lerato')
  await field(admin, 'Last name').fill('Khumalo')
  await field(admin, 'Registration number').fill('SAVC D00/0077')
  await admin.getByRole('button', { name: 'Invite as a vet' }).click()
  await admin.getByText('We’ve emailed Dr Lerato Khumalo a link').waitFor()
  await admin.getByRole('row').filter({ hasText: 'Lerato Khumalo' }).waitFor()

  await admin.goto(`${at.url}/admin/roster`)
  await admin.getByRole('button', { name: /Fill$/ }).first().click()
  await admin.getByRole('dialog').getByRole('radio').first().check()
  await admin.getByRole('dialog').getByRole('button', { name: 'Add shift' }).click()
  await admin
    .getByRole('button', { name: /^See shift: Dr Lerato Khumalo|Dr Lerato Khumalo/ })
    .first()
    .waitFor()

  await admin.goto(`${at.url}/admin`)
  await admin.getByRole('button', { name: 'Add resource' }).click()
  const resource = admin.getByRole('dialog')
  await accessible(admin)
  await resource.getByLabel('Title', { exact: true }).fill('Ear mites')
  await resource.getByRole('radio', { name: 'Infographic' }).check({ force: true })
  await resource.getByLabel('Text').fill('# What you see\n- A dog that shakes its head')
  await resource.getByRole('button', { name: 'Add resource' }).click()
  await admin.getByText('“Ear mites” is saved. A vet has to review it').waitFor()

  const vet = await at.page(DESK)
  await setPassword(vet, await claimLink(VET))
  await vet.goto(`${at.url}/content-reviews`)
  await vet.getByRole('button', { name: 'I’ve reviewed this: Ear mites' }).click()
  await expect.poll(async () => (await fetch(`${at.url}/resources`)).text()).toContain('Ear mites')
  await vet.goto(`${at.url}/myaccount`)
  await vet.getByRole('switch', { name: /duty/i }).click()

  const owner = await at.page(PHONE)
  await buyConsult(owner)
  await vet.getByRole('link', { name: /^Needs Help: Biscuit/ }).click()
  await vet.getByRole('button', { name: /^Take/ }).click()
  await owner.getByText('is with you').waitFor()
  expect(await owner.getByText('Dr Lerato Khumalo').count()).toBeGreaterThan(0)

  await admin.goto(`${at.url}/admin/money`)
  await admin
    .getByRole('button', { name: /^Refund VC-/ })
    .first()
    .click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The first one is on us')
  await dialog.getByRole('button', { name: /^Refund R450/ }).click()
  await dialog.waitFor({ state: 'detached' })
  // The provider makes the refund a moment later, and the page asks for new figures once a minute.
  await expect
    .poll(async () => {
      await admin.goto(`${at.url}/admin/overview`)
      await admin.getByText('1 text, 0 video, 0 phone').waitFor()
      return admin.getByText('1 refund, R450 in all').count()
    })
    .toBe(1)
  await accessible(admin)
})
