import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Output } from '#contract/call.ts'
import type { listClaims } from '#contract/claims.ts'
import { ERRORS } from '#contract/errors.ts'
import type { Pet } from '#contract/pets.ts'
import type { Region } from '#contract/regions.ts'
import { DAY } from '#contract/time.ts'
import { samplePet } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { takeUploads } from '../test/uploads.ts'
import { myPets } from '../pets/queries.ts'
import { ClaimDialog } from './claim-dialog.tsx'
import { amountTyped, whyNot } from './claim-rules.ts'
import { ClaimsDialog } from './claims-dialog.tsx'

const biscuit = samplePet(1, 'Biscuit')
const not = (why: 'species' | 'age' | 'membership') => ({
  cover: { state: 'not_eligible' as const, from: null, why },
})
const waiting = { cover: { state: 'waiting' as const, from: '2026-11-22T12:05:00Z', why: null } }
const optedOut = { cover: { state: 'opted_out' as const, from: null, why: null } }

const ago = (count: number) => new Date(Date.now() - count * DAY).toISOString()
const coveredUntil = (until: number) => ({ opt_in: ago(40), opt_out: ago(until) })

type Known = Output<typeof listClaims>
type Claim = Known['claims'][number]
const claim = (change: Partial<Claim> = {}): Claim => ({
  id: 5,
  pet: { id: 1, name: 'Biscuit' },
  incident: 'tick',
  happened_on: '2026-11-15',
  amount: 845050,
  currency: 'zar',
  would_pay: 345050,
  state: 'received',
  paid: null,
  decision: '',
  at: '2026-11-21T10:00:00Z',
  ...change,
})
const none: Known = { claims: [], sent_from_here: true, used: [] }

/** Stands in for the network. Claims are read with fetch and sent with XMLHttpRequest, which reports upload progress. */
function serve(known: () => Known | Response, answers: (Response | 'lost' | 'never')[] = []) {
  const sent: FormData[] = []
  answerCalls(known)
  takeUploads(async (upload) => {
    sent.push(upload.form)
    const answer = answers.shift() ?? Response.json(claim())
    upload.moves(0.45)
    if (answer === 'lost') upload.breaks()
    else if (answer !== 'never') upload.ends(answer.status, await answer.text())
  })
  return sent
}

function show(pets: Pet[], region: Region = 'za') {
  const dialog =
    pets.length > 0 ? (
      <ClaimDialog region={region} onClose={() => {}} onShowAll={() => {}} />
    ) : (
      <ClaimsDialog onClose={() => {}} />
    )
  mount(dialog, { known: [[myPets.queryKey, pets]] })
}

const says = (words: string | RegExp) => expect.element(page.getByText(words).first()).toBeVisible()
const send = () => page.getByRole('button', { name: 'Send claim' }).click()
const amount = () => page.getByLabelText('Amount of the invoice')
const file = (name: string, content: BlobPart) => new File([content], name)
const choose = (chosen: File) =>
  userEvent.upload(page.getByLabelText(/Add the invoice|Choose another/), chosen)
async function fill() {
  await page.getByLabelText('What happened?').selectOptions('Tick paralysis')
  await page.getByLabelText('The day it happened').fill('15/11/2026')
  await amount().fill('8 450,50')
  await choose(file('invoice.pdf', '%PDF-1.7 paid'))
  await says('invoice.pdf')
}
const photo = async (width: number, height: number) => {
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')!.fillRect(9, 9, 9, 9)
  return file('page.png', await canvas.convertToBlob())
}

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00Z') }))

it.each([
  ['1234,50', 123450],
  ['1 234.50', 123450],
  ['1\u00a0234,5', 123450],
  ['1,234', 123400],
  ['1.234,50', 123450],
  ['R 12 000', 1200000],
  ['$845.00', 84500],
  ['R1,234,567.89', 123456789],
  ['0,50', 50],
  ['0', undefined],
  ['', undefined],
  ['12,3456', undefined],
  ['1,23,456', undefined],
  ['-5', undefined],
  ['a lot', undefined],
  ['30000000', undefined],
])('an amount typed as %s is %s cents [PET-10]', (typed, cents) => {
  expect(amountTyped(typed)).toBe(cents)
})

it.each([
  [biscuit, 0, undefined],
  [biscuit, 3, /^Biscuit has had 3 claims in this membership year/],
  [
    samplePet(1, 'Biscuit', waiting),
    0,
    /^PawCare begins 48 hours after Biscuit was registered: \w+ 22 Nov, \d\d:\d\d\.$/,
  ],
  [samplePet(1, 'Biscuit', optedOut), 0, /^Biscuit was opted out of PawCare\.$/],
  [samplePet(1, 'Biscuit', { ...optedOut, pawcare_pets: [coveredUntil(38.5)] }), 0, /opted out/],
  [samplePet(1, 'Biscuit', { ...optedOut, pawcare_pets: [coveredUntil(30)] }), 0, undefined],
  [samplePet(1, 'Biscuit', { ...not('membership'), pawcare_pets: [coveredUntil(30)] }), 0, undefined],
  [samplePet(1, 'Biscuit', not('species')), 0, /^PawCare is for cats and dogs\.$/],
  [samplePet(1, 'Biscuit', not('age')), 0, /8 weeks old/],
  [samplePet(1, 'Biscuit', not('membership')), 0, /isn’t on an active membership/],
])('a pet can have no claim for one of these reasons [PET-8] [PET-10] %#', (one, incidents, why) => {
  const said = whyNot(one, incidents, 'za')
  if (why) expect(said).toMatch(why)
  else expect(said).toBeUndefined()
})

it("pets that can't have a claim are listed below with the reason [PET-10]", async () => {
  serve(() => none)
  show([
    biscuit,
    samplePet(2, 'Pixel', not('species')),
    samplePet(3, 'Nala', {
      ...optedOut,
      pawcare_pets: [{ opt_in: '2026-03-01T10:00:00Z', opt_out: '2026-11-20T10:00:00Z' }],
    }),
  ])
  await expect.element(page.getByRole('radio', { name: 'Biscuit' })).toBeVisible()
  expect(page.getByRole('radio', { name: 'Pixel' }).elements()).toEqual([])
  await says(/You can’t make a claim right now\. PawCare is for cats and dogs\./)
  await says(/You can only claim for what happened before Fri 20 Nov, \d\d:\d\d\./)
})

it('each missing field has its error beside it, and nothing is sent [PET-10]', async () => {
  const sent = serve(() => none)
  show([biscuit, samplePet(2, 'Mielie')])
  await page.getByRole('button', { name: 'Send claim' }).click()
  await says('Choose your pet.')
  await says(ERRORS.CLAIM_DATE_WRONG.message)
  await says(ERRORS.CLAIM_AMOUNT_WRONG.message)
  await page.getByLabelText('The day it happened').fill('22/11/2026')
  await expect.element(page.getByLabelText('The day it happened')).toHaveAttribute('aria-invalid', 'true')
  expect(sent).toEqual([])
})

it.each([
  ['za', '8 450,50', 0, 'PawCare would pay R3\u00a0450.50', /^R8\u00a0450\.50 less the R5\u00a0000 excess/],
  [
    'za',
    '4000',
    0,
    'PawCare would pay nothing',
    /^You pay the first R5\u00a0000 of each invoice, and this one is R4\u00a0000\. It wouldn’t count towards the 3 claims in a membership year\.$/,
  ],
  ['za', '9000', 0, 'PawCare would pay R4\u00a0000', /It would be claim 2 of 3 in this membership year\.$/],
  ['za', '20000', 9_990_000, 'PawCare would pay R100', /^R100 is left of the R100\u00a0000 limit/],
  ['au', '1,500', 0, 'PawCare would pay $1,000', /^\$1,500 less the \$500 excess/],
] as const)('in %s %s with %d paid this year: %s [PET-10]', async (region, typed, paid, title, words) => {
  serve(() => ({ ...none, used: [{ pet_id: 1, paid, incidents: 1 }] }))
  show([biscuit], region)
  await amount().fill(typed)
  await says(title)
  await expect.element(page.getByText(words)).toBeVisible()
})

it('a photo of the invoice is made smaller; a file that is neither photo nor PDF is refused [PET-10]', async () => {
  const sent = serve(() => none)
  show([biscuit])
  await fill()
  await choose(file('invoice.pdf', 'MZ not a document'))
  await says(ERRORS.CLAIM_INVOICE_WRONG_TYPE.message)
  await choose(await photo(3000, 1500))
  await says('page.jpg')
  await send()
  await says('Your claim for Biscuit is with us')
  const picture = await createImageBitmap(sent[0]!.get('invoice') as File)
  expect([picture.width, picture.height]).toEqual([2000, 1000])
})

it('the invoice that was chosen last is sent, however long the one before takes to shrink [PET-10]', async () => {
  const sent = serve(() => none)
  show([biscuit])
  await fill()
  const shrunk: (() => void)[] = []
  const open = createImageBitmap
  vi.stubGlobal('createImageBitmap', async (picture: Blob) => {
    await new Promise<void>((resolve) => shrunk.push(resolve))
    return open(picture)
  })
  await choose(await photo(300, 150))
  await expect.poll(() => shrunk).toHaveLength(1)
  await choose(file('other.pdf', '%PDF-1.7 paid'))
  await says('other.pdf')
  shrunk[0]!()
  await send()
  await says('Your claim for Biscuit is with us')
  expect((sent[0]!.get('invoice') as File).name).toBe('other.pdf')
})

it('a refusal appears on top or beside its field, and nothing typed is lost [PET-10]', async () => {
  const used = 'Biscuit has had 3 claims in this membership year, which is the most PawCare pays for.'
  const late = ERRORS.CLAIM_DATE_WRONG.message
  serve(
    () => none,
    [
      Response.json({ errors: [used], code: 'CLAIM_INCIDENTS_USED' }, { status: 409 }),
      Response.json({ errors: [late], fields: { happened_on: late } }, { status: 400 }),
    ],
  )
  show([biscuit])
  await fill()
  await send()
  await says(used)
  await expect.element(amount()).toHaveValue('8 450,50')
  await send()
  await expect.element(page.getByLabelText('The day it happened')).toHaveAttribute('aria-invalid', 'true')
  await says('invoice.pdf')
  expect(sessionStorage.getItem('draft:claim')).toContain('8 450,50')
})

it('an upload shows its progress and can be cancelled [PET-10]', async () => {
  const sent = serve(() => none, ['never'])
  show([biscuit])
  await fill()
  await send()
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '45')
  await page.getByRole('button', { name: 'Stop sending' }).click()
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument()
  await expect.element(amount()).toHaveValue('8 450,50')
  await send()
  await says('Your claim for Biscuit is with us')
  expect(sent).toHaveLength(2)
})

it('a second press on a phone doesn’t cancel the upload that the first one began [PET-10]', async () => {
  serve(() => none, ['never'])
  show([biscuit])
  await fill()
  const button = page.getByRole('button', { name: 'Send claim' }).element()
  const top = () => button.getBoundingClientRect().top
  const before = top()
  await send()
  await expect.element(page.getByRole('button', { name: 'Stop sending' })).toBeVisible()
  // The dialog may still be moving into place.
  expect(Math.abs(top() - before)).toBeLessThan(button.clientHeight / 2)
})

it('the dialog says how to claim by hand while the insurer has no address [PET-10]', async () => {
  serve(() => ({ ...none, sent_from_here: false }))
  show([biscuit])
  await says('For now, you’ll need to send claims yourself')
  await says('Ask your vet for an invoice with your pet’s name, the date and what was done.')
  expect(page.getByRole('button', { name: 'Send claim' }).elements()).toEqual([])
})

it('claims are listed with their status and decision [PET-10]', async () => {
  const paid = claim({ id: 3, state: 'decided', paid: 345000, decision: 'On 20 May.' })
  const declined = claim({ id: 2, state: 'decided', paid: 0, decision: 'Ticks were known before.' })
  serve(() => ({ ...none, claims: [claim(), claim({ id: 4, state: 'sent' }), paid, declined] }))
  show([])
  for (const words of ['Received', 'With the insurer', 'Paid R3\u00a0450', 'On 20 May.']) await says(words)
  for (const words of ['Declined', 'Ticks were known before.']) await says(words)
  await expect
    .element(page.getByText('PawCare would pay R3\u00a0450.50. It goes to the insurer next.'))
    .toBeVisible()
})

it('a list that failed to load can be retried, and an empty one says what to do next [PET-10]', async () => {
  let fails = true
  serve(() => (fails ? Response.json({ errors: ['An Error Occurred'] }, { status: 500 }) : none))
  show([])
  await says('We couldn’t load your claims')
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('No claims yet')).toBeVisible()
})
