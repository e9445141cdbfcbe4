import { REGIONS, type Region } from '#contract/regions.ts'
import { type CareItem, careRuleOf } from '#contract/care.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'
import { nameForMail, petForMail } from '../mail/name-for-mail.ts'

export interface DueCare {
  pet: string
  item: CareItem
  dueOn: string
  speciesId: number
  dob: string | null
}

export function careLetter(region: Region, firstName: string, due: DueCare[]): Letter {
  const dayOf = (day: string) =>
    new Date(day).toLocaleDateString(REGIONS[region].lang, {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'long',
    })
  const names = [...new Set(due.map(({ pet }) => petForMail(pet)))]
  return {
    subject: `Care that’s due for ${new Intl.ListFormat('en-GB').format(names)}`.slice(0, 120),
    parts: [
      greeting(firstName),
      'This is coming up in the care plan:',
      ...due.map((one) => {
        const says = careRuleOf(one.item, one, one.dueOn)?.says
        return `${nameForMail(one.pet) || 'Your pet'}, ${dayOf(one.dueOn)}: ${(says ?? one.item).toLowerCase()}`
      }),
      { button: 'Open the care plan', to: '/myaccount/care' },
      {
        quiet:
          'The plan is a starting point: follow your own vet’s advice, and move a date if it doesn’t suit. You can turn reminders off in your profile.',
      },
    ],
  }
}
