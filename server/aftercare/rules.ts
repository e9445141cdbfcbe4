import { REGIONS, type Region } from '#contract/regions.ts'
import type { Advice } from '../clinical/emails.ts'
import { dayOf } from '../documents/date-words.ts'
import type { Site } from '../env.ts'
import type { PdfDocument, PdfPart } from '../documents/pdf.ts'

/** A new plan gets a new name, so phones don't show a cached old one. */
export const planName = (consultation: number, at: Date) => `plan-${consultation}-${at.getTime()}.pdf`

export const consultationOfPlan = (name: string) => {
  const id = /^plan-(\d{1,9})-\d{1,15}\.pdf$/.exec(name)?.[1]
  return id === undefined ? null : Number(id)
}

interface Plan extends Advice {
  pet: string
  owner: string
  start: Date
  region: Region
  vet: string
  registration: string | null
  at: Date
}

/** The vet's advice as a PDF, most important parts first. */
export function planPdf(site: Site, plan: Plan): PdfDocument {
  const { lang, timeZone } = REGIONS[plan.region]
  const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone })
  const part = (heading: string, text: string): PdfPart[] => {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.length === 0 ? [] : [{ heading }, lines.length > 1 ? { list: lines } : { text }]
  }
  return {
    title: `Plan for ${plan.pet}`,
    from: 'VetChat',
    foot: `VetChat, ${new URL(site.url).host}`,
    lang,
    at: plan.at,
    parts: [
      {
        table: [
          { name: 'Pet', value: plan.pet },
          ...(plan.owner ? [{ name: 'Owner', value: plan.owner }] : []),
          { name: 'Consult', value: dayOf(plan.start, plan.region) },
          { name: 'Vet', value: plan.vet },
          ...(plan.registration ? [{ name: 'Registration number', value: plan.registration }] : []),
        ],
      },
      ...part('Summary', plan.summary),
      ...part('What to do', plan.plan),
      ...part('Go to a clinic at once if', plan.goIf),
      ...part('What to watch for', plan.watchFor),
      { text: `Written by ${plan.vet} on ${minute.format(plan.at)}.`, small: true },
    ],
  }
}
