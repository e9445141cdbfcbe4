import { eq } from 'drizzle-orm'
import { type AdminsClaim, INCIDENTS } from '#contract/claims.ts'
import { localDay, money } from '#contract/regions.ts'
import { addDays } from '#contract/time.ts'
import { dayInWords } from '../../documents/date-words.ts'
import type { PdfDocument } from '../../documents/pdf.ts'
import type { Db } from '../client.ts'
import { claims, subscriptionPets, uploads } from '../schema.ts'

/** A claim that the insurer paid, and one that is with the insurer. */
const CLAIMS = [
  {
    pet: 'Nala',
    incident: 'swallowed',
    daysAgo: 96,
    amount: 845_000,
    wouldPay: 345_000,
    paid: 345_000,
    decision: 'Paid in full after the excess. It reaches your account within three working days.',
  },
  {
    pet: 'Biscuit',
    incident: 'tick',
    daysAgo: 6,
    amount: 1_120_000,
    wouldPay: 620_000,
    paid: null,
    decision: '',
  },
] as const

const DECIDED_AFTER_DAYS = 12

export async function fillClaims(db: Db, idOf: (kind: 'pet' | 'person', name: string) => number, now: Date) {
  for (const [n, { pet, daysAgo, paid, ...claim }] of CLAIMS.entries()) {
    const petId = idOf('pet', pet)
    const createdAt = addDays(now, 1 - daysAgo)
    const [place] = await db.select().from(subscriptionPets).where(eq(subscriptionPets.petId, petId))
    const [upload] = await db
      .insert(uploads)
      .values({
        name: `demo-invoice-${n + 1}`,
        userId: idOf('person', 'owner'),
        type: 'invoice',
        bytes: 20_000,
        createdAt,
        namedAt: createdAt,
      })
      .returning({ id: uploads.id })
    await db.insert(claims).values({
      ...claim,
      petId,
      subscriptionId: place!.subscriptionId,
      happenedOn: localDay('za', addDays(now, -daysAgo)),
      currency: 'zar',
      uploadId: upload!.id,
      createdAt,
      ...(paid === null
        ? { state: 'sent' }
        : {
            state: 'decided',
            paid,
            decidedAt: addDays(createdAt, DECIDED_AFTER_DAYS),
            decidedBy: idOf('person', 'admin'),
          }),
    })
  }
}

/** The demo stores no files, so its invoices are made when somebody opens them. */
export const demoInvoice = ({
  id,
  at,
  pet,
  owner,
  incident,
  happened_on,
  amount,
  currency,
}: AdminsClaim): PdfDocument => ({
  title: `Invoice ${1000 + id}`,
  from: 'Two Oaks Animal Clinic',
  foot: 'An invoice of the demo',
  lang: 'en',
  at: new Date(at),
  parts: [
    {
      table: [
        { name: 'Date', value: dayInWords(happened_on) },
        { name: 'Pet', value: pet.name },
        { name: 'Owner', value: `${owner.firstName} ${owner.lastName}` },
        { name: 'For', value: INCIDENTS[incident] },
        { name: 'Paid', value: money(amount, currency), strong: true },
      ],
    },
  ],
})
