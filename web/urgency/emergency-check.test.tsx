import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { OpenClinics } from '#contract/content.ts'
import type { EmergencyCheck as Check } from '#contract/urgency.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { KeepCheck, useCheckPlace } from './check-place.ts'
import { EmergencyCheck } from './emergency-check.tsx'

const CAT: Check = {
  groups: [
    {
      title: 'Pee and birth',
      signs: [
        {
          id: 'no-urine',
          says: 'Straining to pee',
          note: 'It can’t wait until morning.',
          reason: 'Only a clinic can empty the bladder.',
          advice: ['Don’t press on the belly.', 'Give no laxatives.'],
        },
      ],
    },
    {
      title: 'Poison',
      signs: [
        { id: 'lily', says: 'Ate a lily', note: null, reason: 'Kidneys fail.', advice: ['Bring a piece.'] },
      ],
    },
  ],
  version: '2',
  reviewed: null,
}

const NOWHERE = { areas: [], clinics: [] }
const IN_CAPE_TOWN = {
  areas: ['Cape Town', 'Durban'],
  clinics: [
    {
      name: 'Milkwood (example)',
      place: 'Parow',
      phone: '021 555 0142',
      time_zone: 'Africa/Johannesburg',
      until: null,
    },
    {
      name: 'Blue Crane',
      place: 'Claremont',
      phone: '021 555 0177',
      time_zone: 'Australia/Perth',
      until: '2026-11-25T06:00:00.000Z',
    },
  ],
}

function Page({ price = 'R450' }: { price?: string | null }) {
  const check = useCheckPlace('test', 'purchase:consult')
  if (check.step !== 'done') return <EmergencyCheck at={check} given={null} clinics={null} price={price} />
  return (
    <>
      <KeepCheck draft="test" check={check} />
      <h1>The form</h1>
    </>
  )
}

let answers: () => Promise<Response>
let clinicsIn: (area: string) => Omit<OpenClinics, 'area'>
let leave = () => {}
beforeEach(() => {
  document.documentElement.dataset.region = 'za'
  answers = async () => Response.json(CAT)
  clinicsIn = () => NOWHERE
  answerCalls((path) => {
    if (!path.includes('/emergency-clinics')) return answers()
    const area = new URLSearchParams(path.split('?')[1]).get('area') ?? ''
    return { area, ...clinicsIn(area) }
  })
})
function show(path = '/chat-purchase?promo=intro-20', price?: null) {
  leave()
  history.replaceState(null, '', path)
  leave = mount(<Page price={price} />)
}
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
const draft = () => JSON.parse(sessionStorage.getItem('draft:test') ?? '{}')
const says = (words: string) => expect.element(page.getByText(words).first()).toBeVisible()

it('the check asks for the animal and its signs; "None of these" is one tap, and is remembered [TRI-1]', async () => {
  show()
  await press('Cat')
  await says('It can’t wait until morning.')
  // A sign that gets the focus isn't covered by the button below.
  expect(Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom)).toBeGreaterThan(
    90,
  )
  await press('None of these')
  await says('The form')
  expect(location.search).toBe('?promo=intro-20&species=2&sign=none')
  expect(draft()).toMatchObject({ checked: '2:none', species: '2' })
  // Nothing is asked at a reload, or when somebody comes back to the bare address.
  show()
  await says('The form')
  history.back()
  await says('Do you see any of these right now?')
})

it('the check promises no vet while none is on duty [TRI-1, BUY-13]', async () => {
  show('/chat-purchase', null)
  await says('A quick check tells you whether it can wait until a vet is back.')
  await press('Cat')
  await says('Tap it if you do. No vet is on duty right now, so don’t wait for us.')
  expect(document.body.textContent).not.toContain('talk to a vet')
  await press(/^Straining to pee/)
  await expect.element(page.getByRole('button', { name: 'Continue anyway' })).toBeVisible()
})

it('a tapped sign says what to do, and is sent with one tap more; others can be added [TRI-1]', async () => {
  show('/chat-purchase?species=2')
  await press(/^Straining to pee/)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Go to a clinic now')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  await says('Only a clinic can empty the bladder.')
  await says('Don’t press on the belly.')
  await expect
    .element(page.getByRole('link', { name: /Search the map/ }))
    .toHaveAttribute('href', expect.stringContaining('maps'))
  await page.getByRole('link', { name: 'Back to the signs' }).click()
  await expect.element(page.getByRole('button', { name: /^Straining to pee/ })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await page.getByText('Anything else you see?').click()
  await page.getByRole('checkbox', { name: 'Ate a lily' }).click()
  await press('Talk to a vet on the way, R450')
  await says('The form')
  expect(draft()).toMatchObject({ checked: '2:no-urine,lily' })
})

it('once the area is known, the clinic that is open is the thing to press, and the area stays chosen [TRI-1]', async () => {
  clinicsIn = (area) => (area === 'Cape Town' ? IN_CAPE_TOWN : { ...IN_CAPE_TOWN, clinics: [] })
  show('/chat-purchase?species=2&sign=no-urine')
  await says('Where are you?')
  await expect.element(page.getByRole('link', { name: /Search the map/ })).toBeVisible()
  await press('Cape Town')
  await expect.element(page.getByRole('heading', { name: 'Open now in Cape Town' })).toBeVisible()
  const call = page.getByRole('link', { name: 'Phone Milkwood' })
  await expect.element(call).toHaveAttribute('href', 'tel:0215550142')
  await says('Parow. Open day and night')
  await expect.element(page.getByText(/^Claremont\. Open until \w/)).toBeVisible()
  expect(page.getByText('Example').elements()).toHaveLength(2)
  await expect
    .element(page.getByRole('link', { name: 'Directions to Blue Crane' }))
    .toHaveAttribute('href', expect.stringContaining('Blue%20Crane%2C%20Claremont%2C%20Cape%20Town'))
  // On another day, at the same address.
  show('/chat-purchase?species=2&sign=no-urine')
  await expect.element(call).toBeVisible()
  await press('Change area')
  await press('Durban')
  await says('None of the clinics on our list is open. Search the map instead.')
  await expect.element(call).not.toBeInTheDocument()
})

it('an owner who changes the animal is asked again, even after an answer [TRI-1]', async () => {
  show('/chat-purchase?species=2')
  await press('None of these')
  await says('The form')
  show('/chat-purchase?species=2')
  await page.getByRole('link', { name: 'Change' }).click()
  await press('Rabbit')
  await expect.element(page.getByText('Your rabbit')).toBeVisible()
})

it("an owner can continue if the server doesn't answer [TRI-1]", async () => {
  answers = () => Promise.reject(new TypeError('Failed to fetch'))
  show('/chat-purchase?species=5')
  await press('Continue without the signs')
  await expect.element(page.getByText('The form')).toBeVisible()
})

it("a buyer in the middle of paying isn't asked [TRI-1]", async () => {
  sessionStorage.setItem('purchase:consult', '{"key":"k","input":{},"at":1}')
  show()
  await expect.element(page.getByText('The form')).toBeVisible()
})
