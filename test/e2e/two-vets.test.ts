import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { boughtConsult, DESK } from '#test/video-call.ts'
import { button } from './forms.ts'
import { remembered, tokenOf } from './people.ts'
import { PHONE, stage } from './stage.ts'

/* Two vets and three owners, one of them on a phone, from the first wait to the answer after the end. */

const on = stage({ expected: /status of 40[39]/ })

async function at(storageState: ReturnType<typeof remembered>, id: number, size = DESK) {
  const page = await on.page(await on.device({ ...size, storageState }))
  await page.goto(`${on.url}/text-chat/${id}`)
  return page
}

const vetAt = async (who: string, id: number) => at(remembered(on.url, await tokenOf(who, on.url)), id)

/** Someone who bought one consult, in its room. */
const ownerAt = ({ id, token }: { id: number; token: string }, size = DESK) =>
  at(
    { cookies: [], origins: [{ origin: on.url, localStorage: [{ name: 'singleToken', value: token }] }] },
    id,
    size,
  )

const log = (page: Page) => page.getByRole('log')
const box = (page: Page) => page.getByRole('textbox', { name: /^(Message to|Add something|Follow-up)/ })
const row = (vet: Page, id: number) => vet.locator(`#queue a[href*="-chat/${id}"]`)

async function says(page: Page, words: string) {
  await box(page).fill(words)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** Opens a case from the queue and takes it. */
async function takes(vet: Page, id: number) {
  await row(vet, id).click()
  await button(vet, /^Take/).click()
  await button(vet, 'More').waitFor()
}

/** The order of these cases in a vet's queue, from the top. */
const order = (vet: Page, ids: number[]) =>
  vet
    .locator('#queue a')
    .evaluateAll(
      (links, ids) =>
        links.map(({ href }) => Number(/-chat\/(\d+)/.exec(href)?.[1])).filter((id) => ids.includes(id)),
      ids,
    )

/** The place and the wait that an owner reads. */
async function waitOf(owner: Page) {
  const heading = await owner
    .getByRole('heading', { name: /You’re (next|\d+\w\w in the queue)/ })
    .textContent()
  const said = await owner
    .getByText(/\d+ to \d+ minutes/)
    .first()
    .textContent()
  return { place: Number(/\d+/.exec(heading!)?.[0] ?? 1), from: Number(/\d+/.exec(said!)![0]) }
}

it('two vets and three owners: waits, urgency, taking, handing over, writing, putting aside, the end and a question after it [CON-12] [CON-13] [CON-14] [TRI-3] [TRI-4]', async () => {
  const buy = (name: string, query: string) => boughtConsult(on.url, `${name}@example.com`, 1, query)
  const sneezes = await buy('phone', 'She sneezes.')
  const limps = await buy('desk', 'He limps.')
  const collapsed = await buy('urgent', 'He collapsed and is not breathing well.')
  const [phone, desk, urgent] = await Promise.all([
    ownerAt(sneezes, PHONE),
    ownerAt(limps),
    ownerAt(collapsed),
  ])

  // The emergency came last and is first, and nobody reads a shorter wait than the owner before them.
  await urgent.getByText('Flagged as an emergency').first().waitFor()
  await urgent.getByText('Emergency, waiting for a vet').waitFor()
  const [first, second, third] = await Promise.all([urgent, phone, desk].map(waitOf))
  expect([first!.place < second!.place, second!.place < third!.place]).toEqual([true, true])
  expect([first!.from <= second!.from, second!.from <= third!.from]).toEqual([true, true])

  const vet = await vetAt('vet', sneezes.id)
  const ids = [sneezes.id, limps.id, collapsed.id]
  await row(vet, collapsed.id).waitFor()
  expect(await order(vet, ids)).toEqual([collapsed.id, sneezes.id, limps.id])
  await takes(vet, collapsed.id)
  await urgent.getByText('is with you').waitFor()

  // A colleague takes the phone's case, writes, and hands it to the vet with a note that its owner never sees.
  const colleague = await vetAt('vet2', sneezes.id)
  await takes(colleague, sneezes.id)
  await log(phone)
    .getByText(/Dr .+ joined/)
    .waitFor()
  await says(colleague, 'Since when does she sneeze?')
  await log(phone).getByText('Since when does she sneeze?').waitFor()
  await says(phone, 'Since last night.')
  await colleague.keyboard.press('Escape')
  await colleague.keyboard.press('h')
  await colleague.getByLabel('What should they know?').fill('Sneezes since last night, eats well.')
  await colleague.getByRole('radio', { name: /Naidoo/ }).check()
  await button(colleague, /^Hand over to Dr/).click()
  await log(phone)
    .getByText(/has taken over/)
    .waitFor()
  expect(await log(phone).getByText('eats well').count()).toBe(0)

  // The vet hears of it, and the row says whose it was until they look at it.
  await vet.getByText(/^Dr .+ handed Pixel’s case to you\.$/).waitFor()
  await row(vet, sneezes.id)
    .getByText(/^From Dr /)
    .waitFor()
  await row(vet, sneezes.id).hover()

  // The vet is with another owner: the phone's owner reads it, and what they write is in the queue straight away.
  await row(vet, sneezes.id).getByText('Since last night.').waitFor()
  await phone.getByText(/with another owner/).waitFor()
  await box(phone).pressSequentially('Her eyes run')
  await row(vet, sneezes.id).getByText('Writing…').waitFor()
  const before = Number(/^\((\d+)\)/.exec(await vet.title())?.[1] ?? 0)
  await phone.getByRole('button', { name: 'Send', exact: true }).click()
  await row(vet, sneezes.id).getByText('Her eyes run').waitFor()
  await expect.poll(async () => Number(/^\((\d+)\)/.exec(await vet.title())?.[1])).toBe(before + 1)
  await log(phone).getByText('Her eyes run').waitFor()
  await phone.getByText('Delivered', { exact: true }).waitFor()

  // The case is put aside, out of the vet's way, until its owner writes.
  await row(vet, sneezes.id).click()
  await log(vet).getByText('Sneezes since last night, eats well.').waitFor()
  await box(vet).focus()
  await phone.getByText('Seen', { exact: true }).waitFor()
  await button(vet, 'More').click()
  await vet.getByRole('menuitem', { name: 'Wait for the owner' }).click()
  await row(vet, sneezes.id)
    .getByText(/Waiting for them until/)
    .waitFor()
  await row(vet, collapsed.id).click()
  await says(phone, 'Now she coughs.')
  await row(vet, sneezes.id).getByText('Now she coughs.').waitFor()
  await row(vet, sneezes.id).getByText('unread').waitFor()

  // It gets worse while the vet is with another owner: it rings, and the row says why.
  await says(phone, 'Now she cannot breathe.')
  await row(vet, sneezes.id)
    .getByText(/^Emergency: /)
    .waitFor()
  const announced = () => vet.getByText(/^Emergency: Pixel, /).count()
  await expect.poll(announced).toBe(1)

  // Its owner reads straight away where to go, also after a reload, until the vet has looked and lowers the level.
  const card = phone.getByRole('heading', { name: 'Flagged as an emergency' })
  await card.waitFor()
  await phone.getByText('Go to a clinic now.').waitFor()
  await phone.reload()
  await card.waitFor()
  await phone.getByText(/^You told us “.+”. We’ve told Dr Naidoo/).waitFor()
  await row(vet, sneezes.id).click()
  await log(vet).getByText('Now she cannot breathe.').waitFor()
  await vet.keyboard.press('Escape')
  await vet.keyboard.press('l')
  const level = vet.getByRole('form', { name: 'Change the urgency level' })
  await level.getByText('Soon', { exact: true }).click()
  await level.getByLabel('Reason').fill('She breathes well in the film.')
  await level.getByRole('button', { name: 'Lower to soon' }).click()
  await card.waitFor({ state: 'detached' })

  // While the vet looks at the third consult, the colleague ends it, and its owner asks again.
  await row(vet, limps.id).click()
  await takes(colleague, limps.id)
  await desk.getByText('is with you').waitFor()
  await colleague.getByRole('tab', { name: 'Note' }).click()
  const part = (name: string) => colleague.locator('#record').getByLabel(name)
  await part('Assessment').fill('A sprain.')
  await part('Summary').fill('He has sprained his paw.')
  await part('Go at once if').fill('He can’t stand on it.')
  await colleague.getByText('Home care').click()
  await button(colleague, 'Sign and end').click()
  await colleague.getByRole('dialog').getByRole('button', { name: 'Sign and end' }).click()
  await desk.getByRole('heading', { name: 'He has sprained his paw.' }).waitFor()
  await says(desk, 'May he run tomorrow?')
  await desk.getByText(/^Dr .+ has your question from/).waitFor()
  await row(colleague, limps.id).getByText('Asks again').waitFor()
  await row(vet, limps.id).waitFor({ state: 'detached' })
  await row(colleague, limps.id).click()
  await colleague
    .getByText(/asks again/)
    .first()
    .waitFor()
  await box(colleague).fill('Not for three days.')
  await button(colleague, 'Send to the owner').click()
  await log(desk).getByText('Not for three days.').waitFor()
  await row(colleague, limps.id).waitFor({ state: 'detached' })

  // The owner's next question is an emergency: they read where to go, and it's the first thing that every vet sees.
  await says(desk, 'He has collapsed and he cannot breathe.')
  await desk.getByRole('heading', { name: 'Flagged as an emergency' }).waitFor()
  await expect.poll(announced).toBe(2)
  await expect.poll(async () => (await order(vet, ids))[0]).toBe(limps.id)
  await log(vet).getByText('He has collapsed and he cannot breathe.').waitFor()
  await button(vet, 'Take the question').click()
  await desk.getByText(/^Dr .+ has your question from/).waitFor()
})
