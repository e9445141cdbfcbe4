import { REGIONS, localTimeOf, type Region } from '#contract/regions.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'

interface Span {
  begin: Date
  end: Date
}

function spanWords(region: Region, { begin, end }: Span): string {
  const { lang, timeZone } = REGIONS[region]
  const day = new Intl.DateTimeFormat(lang, { weekday: 'long', day: 'numeric', month: 'long', timeZone })
  return `${day.format(begin)}, ${localTimeOf(region, begin).time} to ${localTimeOf(region, end).time}`
}

const toRoster = { button: 'Open the roster', to: '/roster' }

export const shiftAddedLetter = (region: Region, firstName: string, span: Span): Letter => ({
  subject: 'You have a shift soon',
  parts: [greeting(firstName), `You’re on the roster for ${spanWords(region, span)}.`, toRoster],
})

export const shiftChangedLetter = (region: Region, firstName: string, before: Span, now: Span): Letter => ({
  subject: 'Your shift was changed',
  parts: [
    greeting(firstName),
    `Your shift is now ${spanWords(region, now)}. It was ${spanWords(region, before)}.`,
    toRoster,
  ],
})

export const shiftRemovedLetter = (region: Region, firstName: string, span: Span): Letter => ({
  subject: 'One of your shifts was taken off the roster',
  parts: [greeting(firstName), `You’re no longer on duty on ${spanWords(region, span)}.`, toRoster],
})

export const shiftTakenLetter = (region: Region, firstName: string, by: string, span: Span): Letter => ({
  subject: 'A colleague has taken over your shift',
  parts: [greeting(firstName), `${by} has taken over your shift on ${spanWords(region, span)}.`, toRoster],
})
