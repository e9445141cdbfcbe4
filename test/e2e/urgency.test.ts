import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { setPassword } from './forms.ts'
import { freePort } from './product.ts'
import { accessible, DESK, stage } from './stage.ts'

const SECOND = 'second@vets.example'
const NEXT = '2026-11-2'

/** A product of its own with the demo and a second admin, so that one can't change the rules alone. */
const dataDir = mkdtempSync(path.join(tmpdir(), 'vetchat-urgency-'))
cpSync(process.env['TEMPLATE_DIR']!, dataDir, { recursive: true })
const port = await freePort()
execFileSync(process.execPath, ['scripts/admin.ts', SECOND, '--new'], {
  stdio: 'ignore',
  env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
})
const at = stage({ expected: /status of 40[04]/, dataDir, port })

async function secondAdmin() {
  const page = await at.page(DESK)
  await setPassword(page, await at.mailed(SECOND, /http\S+\/claim\/\S+/))
  return page
}

async function openVersion(page: Page, version: string) {
  await page.goto(`${at.url}/admin/urgency`)
  await page.getByRole('navigation', { name: 'Versions' }).getByRole('link', { name: version }).click()
  await page.getByRole('heading', { name: `Version ${version}`, level: 2 }).waitFor()
}

async function say(page: Page, why: string, name: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Why now?').fill(why)
  await dialog.getByRole('button', { name }).click()
  await dialog.waitFor({ state: 'detached' })
}

const stateOf = (page: Page, version: string) =>
  page.getByRole('navigation', { name: 'Versions' }).getByRole('link', { name: version }).innerText()

/** The version that asks owners before a consult. */
async function readBy() {
  const check = await fetch(`${at.url}/api/urgency/check?species_id=2`)
  return ((await check.json()) as { version: string }).version
}

it('rules go live after a replay, a vet’s review and two admins, and one admin takes them back [TRI-5]', async () => {
  const now = await readBy()
  const one = await at.page(await at.deviceOf('admin', DESK))
  await openVersion(one, NEXT)
  await one.getByText(/^Replayed over \d+ consults .+ Compared with version .+, which is live\.$/).waitFor()
  await one.getByText('A vet has to review it first.').waitFor()
  await accessible(one)
  await one.getByRole('button', { name: 'Record a vet’s review' }).click()
  await one.getByRole('combobox', { name: 'Vet' }).selectOption({ index: 1 })
  await one.getByRole('button', { name: 'Record the review' }).click()
  await one.getByText('The review has been recorded.').waitFor()
  await one.getByRole('button', { name: `Make version ${NEXT} live` }).click()
  await one.getByRole('heading', { name: `Ask for version ${NEXT}?` }).waitFor()
  await accessible(one)
  await say(one, 'Fewer false alarms', 'Ask a second admin')
  await one.getByText('You asked to make this version live').waitFor()
  expect(await readBy()).toBe(now)

  const two = await secondAdmin()
  await openVersion(two, NEXT)
  await two.getByText(/ asked to make this version live$/).waitFor()
  await two.getByText(/“Fewer false alarms”/).waitFor()
  await accessible(two)
  await two.getByRole('button', { name: `Confirm version ${NEXT}` }).click()
  await say(two, 'I agree', `Make version ${NEXT} live`)
  await two.getByText(`Version ${NEXT} is live.`).waitFor()
  await expect.poll(() => stateOf(two, NEXT)).toContain('Live')

  expect(await readBy()).toBe(NEXT)

  // Going back has to be quick, so it takes one admin, and no review.
  await openVersion(one, now)
  await one.getByRole('button', { name: `Return to version ${now}` }).click()
  await say(one, 'It missed a cat', `Make version ${now} live`)
  await one.getByText(`Version ${now} is live.`).waitFor()
  await expect.poll(() => stateOf(one, now)).toContain('Live')
  expect(await stateOf(one, NEXT)).toContain('Ready')
  expect(await readBy()).toBe(now)
})

it('a stranger with an emergency is sent to a clinic that an admin has listed [TRI-1]', async () => {
  const admin = await at.page(await at.deviceOf('admin', DESK))
  await admin.goto(`${at.url}/admin/pages`)
  await admin.getByRole('button', { name: 'Add', exact: true }).click()
  await admin.getByRole('menuitem', { name: 'Emergency clinic' }).click()
  for (const [label, words] of [
    ['Name', 'Garden Route Animal Hospital'],
    ['Area', 'George'],
    ['Suburb', 'Heather Park'],
    ['Phone', '044 555 0131'],
    ['Saturday', 'from six'],
  ] as const)
    await admin.getByLabel(label, { exact: true }).fill(words)
  await admin.getByText(/^Draft saved/).waitFor()
  await admin.getByRole('button', { name: 'Publish version 1' }).click()
  await admin.getByText('Write “18:00-08:00”, “all day” or “closed”.').waitFor()
  await admin.getByLabel('Saturday', { exact: true }).fill('all day')
  await admin.getByText(/^Draft saved/).waitFor()
  await accessible(admin)
  await admin.getByRole('button', { name: 'Publish version 1' }).click()
  await admin.getByText('It’s on the public pages.').waitFor()

  const stranger = await at.page()
  await stranger.goto(`${at.url}/chat-purchase`)
  await stranger.getByRole('button', { name: 'Cat', exact: true }).click()
  await stranger.getByRole('button', { name: /^Straining to pee/ }).click()
  await stranger.getByRole('link', { name: 'Search the map for an open vet' }).waitFor()
  await stranger.getByRole('button', { name: 'George', exact: true }).click()
  const call = stranger.getByRole('link', { name: 'Phone Garden Route Animal Hospital', exact: true })
  expect(await call.getAttribute('href')).toBe('tel:0445550131')
  await stranger.getByText('Heather Park. Open day and night').last().waitFor()
  await accessible(stranger)
  await stranger.reload()
  await call.waitFor()
})
