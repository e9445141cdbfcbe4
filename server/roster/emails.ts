import { REGIONS, localTimeOf, type Region } from '#contract/regions.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'

export interface Span {
  begin: Date
  end: Date
}

function spanWords(region: Region, { begin, end }: Span): string {
  const { lang, timeZone } = REGIONS[region]
  const day = new Intl.DateTimeFormat(lang, { weekday: 'long', day: 'numeric', month: 'long', timeZone })
  return `${day.format(begin)}, ${localTimeOf(region, begin).time} to ${localTimeOf(region, end).time}`
}

const shiftLetter =
  (subject: string, says: string) =>
  (firstName: string): Letter => ({
    subject,
    parts: [greeting(firstName), says, { button: 'Open the roster', to: '/roster' }],
  })

export const shiftAddedLetter = (region: Region, span: Span) =>
  shiftLetter('You have a shift soon', `You’re on the roster for ${spanWords(region, span)}.`)

export const shiftChangedLetter = (region: Region, before: Span, now: Span) =>
  shiftLetter(
    'Your shift was changed',
    `Your shift is now ${spanWords(region, now)}. It was ${spanWords(region, before)}.`,
  )

export const shiftRemovedLetter = (region: Region, span: Span) =>
  shiftLetter(
    'One of your shifts was taken off the roster',
    `You’re no longer on duty on ${spanWords(region, span)}.`,
  )

export const shiftTakenLetter = (region: Region, by: string, span: Span) =>
  shiftLetter(
    'A colleague has taken over your shift',
    `${by} has taken over your shift on ${spanWords(region, span)}.`,
  )
