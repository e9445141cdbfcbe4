import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Consultation } from '#contract/consultations.ts'
import { ERRORS } from '#contract/errors.ts'
import type { Pet } from '#contract/pets.ts'
import type { EmergencyCheck } from '#contract/urgency.ts'
import { sampleConsultation, samplePet } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { lost } from '../test/turns.ts'
import { answerCalls, refused } from '../test/visit.tsx'
import { myPets } from '../pets/queries.ts'
import { StartConsultDialog } from './start-consult-dialog.tsx'

const biscuit = samplePet(1, 'Biscuit')
const CLOSED = ERRORS.CONSULT_CLOSED_HOURS.message.replace('{hours}', '6:00am to 12:00am SYD Time')

let leave = () => {}
let setOpen: (open: Consultation[]) => void = () => {}
const addPet = vi.fn()
const toText = vi.fn()
function show(pets: Pet[], type: 1 | 2 = 1, before: Consultation[] = []) {
  function Listed() {
    const [open, set] = useState(before)
    setOpen = set
    return <StartConsultDialog type={type} open={open} onClose={() => {}} onAddPet={addPet} onText={toText} />
  }
  leave = mount(<Listed />, { known: [[myPets.queryKey, pets]] })
}

const press = () => page.getByRole('button', { name: 'Start text consult' }).click()
beforeEach(() => {
  document.documentElement.dataset.region = 'za'
  // Past the emergency check.
  sessionStorage.setItem('draft:consult', '{"checked":"1:none"}')
})

it('the dialog asks an owner without pets to add one first [ACC-7]', async () => {
  show([])
  await expect.element(page.getByText('Add pet before starting a consult')).toBeVisible()
  await page.getByRole('button', { name: 'Add pet' }).click()
  expect(addPet).toHaveBeenCalledOnce()
})

it('the dialog shows the open consults instead of the form when there are three [SAF-4]', async () => {
  const open = [5, 6].map((id) => sampleConsultation(id, `Pet ${id}`))
  show([biscuit], 1, [...open, sampleConsultation(7, 'Pet 7', { type: 2 })])
  await expect.element(page.getByText('You already have 3 consults open')).toBeVisible()
  for (const [name, address] of [
    [/^Pet 5, since/, '/text-chat/5'],
    [/^Pet 7, since/, '/video-chat/7'],
  ] as const)
    await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', address)
  expect(page.getByLabelText('What’s wrong?').query()).toBeNull()
  leave()
  show([biscuit], 1, open)
  await expect.element(page.getByLabelText('What’s wrong?')).toBeVisible()
})

it('the consult that is being started isn’t taken for one that was open before [ACC-8] [SAF-4]', async () => {
  let refuse = () => {}
  answerCalls((path) =>
    path === '/consultation'
      ? new Promise((answer) => (refuse = () => answer(refused(409, 'CONSULTS_OPEN', 'No.'))))
      : [],
  )
  const two = [5, 6].map((id) => sampleConsultation(id, `Pet ${id}`))
  show([biscuit], 1, two)
  await expect.element(page.getByText('A consult about Pet 5 is open')).toBeVisible()
  await page.getByLabelText('What’s wrong?').fill('He limps.')
  await page.getByRole('checkbox').click()
  await press()
  await expect.element(page.getByRole('button', { name: 'Starting…' })).toBeVisible()
  setOpen([sampleConsultation(7, 'Biscuit'), ...two])
  await expect.element(page.getByText('A consult about Pet 5 is open')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Starting…' })).toBeVisible()
  // Another tab started the third.
  refuse()
  await expect.element(page.getByText('You already have 3 consults open')).toBeVisible()
})

it('the dialog says before it starts what video costs in data, and offers text [CON-5] [ACC-2]', async () => {
  show([biscuit], 2)
  await expect.element(page.getByText(/about 5 MB of data a minute/)).toBeVisible()
  await page.getByRole('button', { name: 'Choose text instead' }).click()
  expect(toText).toHaveBeenCalledOnce()
})

it("missing text or consent shows the seed's sentence [ACC-6, ACC-7]", async () => {
  show([biscuit])
  await press()
  await expect
    .element(page.getByText(ERRORS.CONSULT_DETAILS_MISSING.message, { exact: false }).first())
    .toBeVisible()
  await expect
    .element(page.getByText(ERRORS.CONSULT_TERMS_NOT_AGREED.message, { exact: false }).first())
    .toBeInTheDocument()
  for (const [name, address] of [
    ['terms and conditions', '/terms-and-conditions'],
    ['privacy policy', '/privacy-policy'],
  ] as const)
    await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', address)
})

it('a text that is too long stays whole and is refused beside its field [ACC-7]', async () => {
  show([biscuit])
  const issue = page.getByRole('textbox', { name: 'What’s wrong?' })
  await issue.fill('x'.repeat(4001))
  await press()
  await expect.element(page.getByText(ERRORS.TEXT_TOO_LONG.message).first()).toBeVisible()
  expect((issue.element() as HTMLTextAreaElement).value).toHaveLength(4001)
})

it('missing consent is said above the buttons, not below them, on a phone [ACC-7]', async () => {
  await page.viewport(390, 700)
  show([biscuit])
  await page.getByLabelText('What’s wrong?').fill('He limps.')
  await press()
  const error = page.getByText(ERRORS.CONSULT_TERMS_NOT_AGREED.message)
  const bottom = (element: Element) => element.getBoundingClientRect().bottom
  await expect
    .poll(() => bottom(error.element()) - bottom(document.querySelector('dialog [role=group]')!))
    .toBeLessThanOrEqual(0)
})

it('out of hours a dialog says when vets are back, without an answer that the consult may have started, and the draft stays [ACC-8] [ACC-9]', async () => {
  answerCalls(() => refused(409, 'CONSULT_CLOSED_HOURS', CLOSED))
  show([biscuit])
  await page.getByLabelText('What’s wrong?').fill('He limps.')
  await page.getByRole('checkbox').click()
  await press()
  await expect.element(page.getByText(CLOSED)).toBeVisible()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect.element(page.getByLabelText('What’s wrong?')).toHaveValue('He limps.')
  expect(sessionStorage.getItem('draft:consult')).toContain('He limps.')
  answerCalls(lost)
  await press()
  await expect
    .element(page.getByText('we don’t know whether your consult has started', { exact: false }))
    .toBeVisible()
  await expect.element(page.getByLabelText('What’s wrong?')).toHaveValue('He limps.')
})

/** A photo larger than the one that is sent. */
async function photo(name: string) {
  const canvas = Object.assign(document.createElement('canvas'), { width: 3000, height: 2000 })
  canvas.getContext('2d')!.fillRect(0, 0, 1500, 2000)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  return new File([blob!], name, { type: 'image/png' })
}

function choose(photos: File[]) {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!
  const chosen = new DataTransfer()
  for (const one of photos) chosen.items.add(one)
  input.files = chosen.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

it('photos that are chosen while others are being made smaller count towards the five [ACC-6]', async () => {
  show([biscuit])
  const three = await Promise.all(['gums.png', 'belly.png', 'paw.png'].map(photo))
  await expect.element(page.getByText('Add photos')).toBeVisible()
  choose(three)
  choose(three)
  await expect.element(page.getByText('You can add up to 5 photos now', { exact: false })).toBeVisible()
  await expect.poll(() => page.getByRole('img', { name: /^Photo/ }).elements().length).toBe(5)
})

it('photos are announced when they are added and removed, and the focus stays with them [ACC-6]', async () => {
  show([biscuit])
  await expect.element(page.getByText('Add photos')).toBeVisible()
  choose(await Promise.all(['gums.png', 'belly.png'].map(photo)))
  await expect.element(page.getByText('Photos: 2')).toBeInTheDocument()
  choose([await photo('paw.png')])
  await expect.element(page.getByText('Photos: 3')).toBeInTheDocument()
  await page.getByRole('button', { name: 'Remove photo 3' }).click()
  await expect.element(page.getByText('Photos: 2')).toBeInTheDocument()
  await expect.poll(() => document.activeElement?.closest('[role=group]')).not.toBeNull()
})

const CHECK: EmergencyCheck = {
  groups: [
    {
      title: 'Belly',
      signs: [
        { id: 'bloat', says: 'Swollen belly', note: null, reason: 'Hours decide.', advice: ['Go now.'] },
      ],
    },
  ],
  version: '2',
  reviewed: null,
}

it('the dialog asks for signs of an emergency first; the one that was tapped is sent with the consult [TRI-1]', async () => {
  // The test before may still store its draft.
  sessionStorage.clear()
  const sent: unknown[] = []
  const clinics = (path: string) => ({
    area: path.includes('Durban') ? 'Durban' : '',
    areas: ['Durban'],
    clinics: path.includes('Durban')
      ? [{ name: 'Sugarbird', place: 'Westville', phone: '031 555 0119', until: null }]
      : [],
  })
  answerCalls((path, body) => {
    if (path.includes('/urgency/check')) return CHECK
    if (path.includes('/emergency-clinics')) return clinics(path)
    if (path === '/consultation' && body) sent.push(body)
    return Response.json({ errors: ['No.'] }, { status: 400 })
  })
  show([biscuit, samplePet(2, 'Pip')])
  await page.getByRole('radio', { name: 'Biscuit' }).click()
  await page.getByRole('button', { name: 'Swollen belly' }).click()
  await expect.element(page.getByText('Take Biscuit to a clinic now')).toHaveFocus()
  await expect.element(page.getByRole('button', { name: 'None of these' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Durban' }).click()
  await expect
    .element(page.getByRole('link', { name: 'Phone Sugarbird' }))
    .toHaveAttribute('href', 'tel:0315550119')
  await page.getByRole('button', { name: 'Talk to a vet on the way' }).click()
  await page.getByLabelText('What’s wrong?').fill('He retches.')
  await page.getByRole('checkbox').click()
  await press()
  await expect.poll(() => sent).toMatchObject([{ pet_id: 1, signs: ['bloat'] }])
  // Another pet needs another answer.
  await page.getByRole('radio', { name: 'Pip' }).click()
  await page.getByRole('button', { name: 'None of these' }).click()
  await press()
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]).toMatchObject({ pet_id: 2, signs: [] })
})
