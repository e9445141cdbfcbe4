import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as accounts from '../accounts/emails.ts'
import * as checkout from '../checkout/emails.ts'
import * as claims from '../claims/emails.ts'
import * as clinical from '../clinical/emails.ts'
import * as clinics from '../clinics/emails.ts'
import * as consultations from '../consultations/emails.ts'
import * as contact from '../contact/emails.ts'
import * as factor from '../factor/emails.ts'
import * as joining from '../joining/emails.ts'
import * as ledger from '../ledger/emails.ts'
import * as gifts from '../memberships/gift-emails.ts'
import * as memberships from '../memberships/emails.ts'
import * as payments from '../payments/emails.ts'
import * as pets from '../pets/emails.ts'
import * as escalation from '../escalation/emails.ts'
import * as phone from '../phone/emails.ts'
import * as policies from '../policies/emails.ts'
import * as portal from '../portal/emails.ts'
import * as profile from '../profile/emails.ts'
import * as roster from '../roster/emails.ts'
import { type Letter, writeLetter } from './mail-template.ts'
import { nameForMail } from './name-for-mail.ts'

const SLICES = {
  accounts,
  checkout,
  claims,
  clinical,
  clinics,
  consultations,
  contact,
  factor,
  joining,
  ledger,
  gifts,
  memberships,
  payments,
  pets,
  escalation,
  phone,
  policies,
  portal,
  profile,
  roster,
}
const site = { region: 'za', url: 'https://vetchat.example' } as const
const at = new Date('2026-11-22T10:00:00Z')
const seller = { legalEntities: {}, taxNumbers: {}, support: { phone: {}, whatsapp: {}, email: {} } }
const money = { amount: 450_00, currency: 'zar', region: 'za' } as const

/** Everything but names: a problem, a message, a breed, a clinic, a mobile number. */
const TYPED = 'Typed by a stranger: pay at https://evil.example or call 0821234567'

/** Every letter to somebody whose address may never have been confirmed, with what they typed as names. */
const lettersTo = (name: string): Record<string, Letter> => {
  const owner = {
    firstName: name,
    lastName: name,
    pet: name,
    room: 'https://vetchat.example/room',
    isGuest: true,
  }
  const person = { firstName: name, lastName: name, email: 'x@evil.example', mobile: TYPED }
  const told = { ...money, firstName: name, plan: 'annual', price: 1, pets: [name] } as const
  const gift = { ...money, firstName: name, shop: 'Shop', code: 'ABCD' }
  const claim = {
    id: 1,
    pet: { name },
    incident: 'tick',
    happened_on: '2026-11-01',
    would_pay: 1,
    ...money,
  }
  const advice = { summary: 'Rest.', plan: '', watchFor: '', goIf: '' }
  const written = {
    queryAbout: 3,
    name,
    email: 'x@evil.example',
    mobile: TYPED,
    clinicOrCompany: TYPED,
    body: TYPED,
  }
  const entry = {
    ...money,
    id: 1,
    chargeId: 1,
    at,
    kind: 'charge',
    what: 'consult',
    plan: null,
    type: 1,
    pet: name,
    firstName: name,
    payer: name,
    email: 'x@evil.example',
    why: null,
    reason: null,
  }
  const joined: joining.Joined = {
    ...money,
    plan: 'annual',
    price: 1,
    nextPrice: 0,
    renews: at,
    pets: [name, 'Rex'],
    gift: null,
  }
  const due = { pet: name, item: 'dental', dueOn: '2026-12-01', speciesId: 1, dob: null } as const
  return {
    'accounts.resetCodeLetter': accounts.resetCodeLetter(name, 'ABCDE'),
    'accounts.passwordChangedLetter': accounts.passwordChangedLetter(name, 'every device'),
    'accounts.passwordSetLetter': accounts.passwordSetLetter(name),
    'accounts.claimLetter': accounts.claimLetter(name, accounts.claimLink('CODE', 'join')),
    'accounts.welcomeLetter': accounts.welcomeLetter(name, 'CODE', {
      also: joining.joinedParts(joined),
      joins: true,
    }),
    'checkout.consultBegunLetter': checkout.consultBegunLetter(
      { firstName: name, pet: name, isTold: true },
      owner.room,
    ),
    'checkout.consultOpenLetter': checkout.consultOpenLetter({ firstName: name, pet: name }, owner.room),
    'checkout.consultMovedLetter': checkout.consultMovedLetter({ firstName: name, pet: name }, owner.room),
    'claims.claimReceivedLetter': claims.claimReceivedLetter('za', claim as never, person),
    'claims.claimDecidedLetter': claims.claimDecidedLetter(
      'za',
      { ...claim, paid: 0, decision: 'Not covered.', owner: person } as never,
      false,
    ),
    'clinical.adviceLetter': clinical.adviceLetter(owner, 'Dr Naidoo', advice, 'Two Oaks', []),
    'consultations.vetJoinedLetter': consultations.vetJoinedLetter(owner, 'Dr Naidoo'),
    'consultations.lateLetter': consultations.lateLetter(owner, null),
    'consultations.checkInLetter': consultations.checkInLetter(owner, true),
    'consultations.askedAgainLetter': consultations.askedAgainLetter({ firstName: name }, name, owner.room),
    'consultations.answeredLetter': consultations.answeredLetter(owner, 'Dr Naidoo', []),
    'consultations.freshLinkLetter': consultations.freshLinkLetter(owner),
    'contact.joinLetter': contact.joinLetter(name, 'CODE'),
    'contact.joinedLetter': contact.joinedLetter(name, 'CODE'),
    'contact.vetBackLetter': contact.vetBackLetter,
    'contact.receivedLetter': contact.receivedLetter(written),
    'joining.joinedLetter': joining.joinedLetter(name, joined),
    'joining.undoneLetter': joining.undoneLetter(1, 'zar'),
    'ledger.receiptLetter': ledger.receiptLetter(entry as never, seller, []),
    'ledger.refundLetter': ledger.refundLetter(entry as never, seller, []),
    'memberships.cancelledLetter': memberships.cancelledLetter({ ...told, disputed: 0 }, at),
    'memberships.restartedLetter': memberships.restartedLetter(told, at),
    'memberships.paymentFailedLetter': memberships.paymentFailedLetter(told, at),
    'memberships.stillUnpaidLetter': memberships.stillUnpaidLetter(told, at, 3),
    'memberships.endedLetter': memberships.endedLetter({ ...told, disputed: 1 }, at),
    'memberships.renewalLetter': memberships.renewalLetter(told, at, null),
    'gifts.giftLetter': gifts.giftLetter(gift),
    'gifts.giftBackLetter': gifts.giftBackLetter(gift),
    'payments.cardReplacedLetter': payments.cardReplacedLetter(name, { brand: 'visa', last4: 'abcd' }),
    'payments.membershipBoughtLetter': payments.membershipBoughtLetter(told, name, at, null),
    'pets.careLetter': pets.careLetter('za', name, [due]),
    'policies.policyCodeLetter': policies.policyCodeLetter({
      policy: 'POL',
      petName: name,
      by: 'x@evil.example',
      code: 'ABCDE',
    }),
    'policies.policyLapsedLetter': policies.policyLapsedLetter({
      policy: 'POL',
      petName: name,
      firstName: name,
    }),
    'profile.confirmEmailLetter': profile.confirmEmailLetter('CODE', { joins: true }),
    'profile.emailTakenLetter': profile.emailTakenLetter,
    'profile.emailChangeLetter': profile.emailChangeLetter(name, profile.newEmail('x@evil.example', null)),
    'profile.emailChangedLetter': profile.emailChangedLetter(name, profile.newEmail('x@evil.example', null)),
    'profile.accountDeletedLetter': profile.accountDeletedLetter('za', name, null, true),
  }
}

/** These go to us, to our vets, to the insurer and to a clinic in our directory, who need what was typed. */
const TO_STAFF = [
  'claims.insurerLetter',
  'clinical.clinicLetter',
  'clinics.invitationLetter',
  'contact.writtenLetter',
  'escalation.contactLetter',
  'factor.codeUsedLetter',
  'factor.factorOffLetter',
  'factor.factorOnLetter',
  'factor.newCodesLetter',
  'factor.wrongCodesLetter',
  'gifts.newCodeLetter',
  'gifts.stopCodeLetter',
  'ledger.disputeLetter',
  'ledger.ledgerCheckLetter',
  'ledger.refundFailedLetter',
  'phone.phoneLetter',
  'policies.feedHeldLetter',
  'policies.feedRefusedLetter',
  'policies.feedRowsLetter',
  'portal.clinicPasswordLetter',
  'portal.morningLetter',
  'roster.shiftAddedLetter',
  'roster.shiftChangedLetter',
  'roster.shiftRemovedLetter',
  'roster.shiftTakenLetter',
]

it('this test covers every letter', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('emails.ts'),
  )
  expect(files).toHaveLength(Object.keys(SLICES).length)
  const letters = Object.entries(SLICES).flatMap(([slice, letters]) =>
    Object.keys(letters)
      .filter((name) => name.endsWith('Letter'))
      .map((name) => `${slice}.${name}`),
  )
  expect([...Object.keys(lettersTo('Rex')), ...TO_STAFF].toSorted()).toEqual(letters.toSorted())
})

const wholeOf = (letter: Letter) => Object.values(writeLetter(letter, site)).join('\n')

it.each([
  'http://evil.example',
  'verify at http://evil.example/x?y=1',
  'https : // evil . example',
  'hxxp://evil[.]example',
  '//evil',
  'www.evil.co.za',
  'evil.co.za',
  'evil.click',
  'EVIL.COM',
  'evil．co．za',
  'evil。com',
  'evil\u2024com',
  'evilꓸcom',
  'evil•com',
  'evil·com',
  'ev\u200Bil.c\u200Dom',
  'evil\u00AD.com',
  '\u202Emoc.live',
  'еvil.соm',
  '𝐞𝐯𝐢𝐥.𝐜𝐨𝐦',
  'ⓔⓥⓘⓛ．ⓒⓞⓜ',
  'evilꞏcom',
  'evilᐧcom',
  'evilㆍcom',
  'evil\u{1D16D}com',
  'evil dot com',
  'evil dot sh',
  'go to evil dot bank',
  'evil DOT ly',
  'evil_dot_sh',
  'evil d o t sh',
  'evil dоt sh',
  'evil punt sh',
  'evil. sh',
  'evil·sh',
  'e v i l . s h',
  'evil-dot-co-dot-za',
  'evilDOTcoza',
  'evil (dot) co (dot) za',
  'evil\tDOT\ncom',
  'evil. com',
  'evildotcom',
  'evil&#46;com',
  'x@evil.example',
  'x＠evil．example',
  'evil@localhost',
  '<a href="https://evil.example">evil.example</a>',
  '[evil.example](https://evil.example)',
  'bit.ly/evil',
  'evil1.com',
  't.co/evil',
  'evil.com\r\nBcc: all@evil.example',
  '082 123 4567',
  '+27821234567',
  '0 8 2 1 2 3 4',
  'o82 123',
  'call0821234567',
  '٠٨٢١٢٣٤٥٦٧',
  '𝟎𝟖𝟐𝟏𝟐𝟑𝟒𝟓𝟔𝟕',
  '1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣',
])('no letter to an unconfirmed address repeats %j, nor any text but names [SAF-3]', (name) => {
  for (const [letter, written] of Object.entries(lettersTo(name))) {
    const whole = wholeOf(written)
    expect(whole, letter).not.toMatch(
      /[eе]vil|e v i|live\b(?!”)|moc|𝐞|ⓔ|Typed by|bit\.ly|t\.co|\b0?82|4567|[٠-٩]|𝟎|️/u,
    )
    expect(whole, letter).not.toMatch(/\p{Default_Ignorable_Code_Point}/u)
    expect(whole, letter).not.toMatch(/Hello ,|about \.|by \.| {2}is | for \.|\n’s/)
  }
})

it.each([
  'O’Brien',
  'van der Merwe',
  'Nomvula-Grace',
  'J.P.',
  'J. P. van Wyk',
  'José',
  'Nkosinathi Sibusiso Mthokozisi',
  'Ngũgĩ wa Thiong’o',
  '王小明',
  '佐々木',
  'マリー・アン',
  'ǃXóõ',
  'محمد',
  'สมชาย',
  'Nguyễn Thị Minh Khai',
  'Gal·la',
  'St. John',
  'St.Clair',
  'Dr. Ng',
  'Dr. De Wet',
  'Prof. Dr. Li',
  'Mr T.Mbeki',
  "O'Neil",
  'van der Merwe-Smit',
  'J.R.R. Tolkien',
  'Me. Botha',
  'Jimmy Page',
  'Dr. Page',
  'Mr.Whiskers',
  'Tom & Jerry',
  'Miss Dot Ann',
  'Polka Dot',
  'Dotty',
])('the name %s stays whole [SAF-3]', (name) => {
  expect(nameForMail(name)).toBe(name)
  const letters = lettersTo(name)
  expect(writeLetter(letters['contact.joinLetter']!, site).text).toContain(`Hello ${name},`)
  expect(writeLetter(letters['consultations.checkInLetter']!, site).subject).toBe(`How is ${name} today?`)
})

it('a receipt names its payer whole, however long the name is [SAF-3, BUY-11]', () => {
  const first = 'Maximiliana-Wilhelmina Alexandrina'
  const last = 'van der Westhuizen-Schoonraad Oosthuysen'
  const letters = lettersTo(`${first} ${last}`)
  for (const letter of ['ledger.receiptLetter', 'ledger.refundLetter'] as const)
    expect(writeLetter(letters[letter]!, site).text).toContain(`Paid by ${first} ${last}\n`)
})

it('a name in a mail is cut short, and a name that is all cut away leaves the greeting without one [SAF-3]', () => {
  expect(nameForMail('Thandi evil.co.za Mokoena')).toBe('Thandi Mokoena')
  expect(nameForMail('<b>Thandi</b>\r\n Mokoena')).toBe('Thandi Mokoena')
  expect(nameForMail('Rex 🐶 2')).toBe('Rex')
  expect(nameForMail('Dr.Ng')).toBe('Dr. Ng')
  expect(nameForMail('Rex oh eight two one')).toBe('Rex')
  expect(nameForMail('Rex nul, agt, twee')).toBe('Rex')
  expect(nameForMail(`J${'\u0300'.repeat(50)}o`).length).toBeLessThan(8)
  expect(nameForMail('a'.repeat(5000))).toHaveLength(60)
  expect(nameForMail('Rex '.repeat(100)).length).toBeLessThanOrEqual(60)
  const { text, subject } = writeLetter(lettersTo('evil.example')['consultations.checkInLetter']!, site)
  expect([text.split('\n')[0], subject]).toEqual(['Hello,', 'How is your pet today?'])
})

it('an inbox shows what a mail says beside its subject, not its greeting [SAF-3]', () => {
  const { html } = writeLetter(contact.vetBackLetter, site)
  expect(
    html
      .replace(/<head>.*<\/head>/, '')
      .replace(/<[^>]+>/g, ' ')
      .trim(),
  ).toMatch(/^Someone, probably you, asked us/)
})

it('an amount in a mail’s title stays on one line', () => {
  const { subject, html } = writeLetter({ subject: 'Your refund of\nR2\u00A0000', parts: [] }, site)
  expect(subject).toBe('Your refund of R2\u00A0000')
  expect(html).toContain('Your refund of R2\u00A0000</h1>')
})

it('a mailed plan keeps the vet’s lines, each list under its title, in text and HTML [CON-7]', () => {
  const advice = {
    summary: 'An upset stomach.',
    plan: '1. No food.\n2. Then <small> meals.',
    watchFor: '',
    goIf: 'she vomits blood\n- her belly swells',
  }
  const to = { firstName: 'Thandi', pet: 'Biscuit', room: 'https://vetchat.example/room' }
  const { text, html } = writeLetter(clinical.adviceLetter(to, 'Dr Naidoo', advice, undefined, []), site)
  expect(text).toContain('\n\nWhat to do\n1. No food.\n2. Then <small> meals.\n\n')
  expect(html).toContain('<b>What to do</b><br>1. No food.<br>2. Then &#60;small&#62; meals.</p>')
  expect(html).toContain('<b>Go to a clinic at once if</b><br>• she vomits blood<br>• her belly swells</p>')
  expect(text).not.toContain('What to watch for')
})
