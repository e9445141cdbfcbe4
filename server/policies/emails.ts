import { POLICY_CODE_HOURS } from '#contract/policies.ts'
import { readable } from '../identity/codes.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'
import { nameForMail, petForMail } from '../mail/name-for-mail.ts'
import type { BadRow } from './feed-rules.ts'
import { hinted } from './rules.ts'

interface Asked {
  policy: string
  petName: string
  /** The email of the account that asks. */
  by: string
  code: string
}

/** Goes to the holder's address as the insurer gave it. */
export const policyCodeLetter = ({ policy, petName, by, code }: Asked): Letter => ({
  subject: 'The code for your pet policy',
  parts: [
    'Hello,',
    `The VetChat account of ${hinted(by)} is asking to use your policy ${policy} for ${petForMail(petName)}. If that’s you, enter this code there. It works once, for ${POLICY_CODE_HOURS} hours.`,
    { code: readable(code) },
    { button: 'Open my account', to: '/myaccount' },
    {
      quiet:
        'If you don’t recognise this account, you can ignore this email and keep the code to yourself. Your policy stays as it is.',
    },
  ],
})

/** Goes to the owner of a pet whose policy has ended, according to the insurer. */
export function policyLapsedLetter(told: { policy: string; petName: string; firstName: string }): Letter {
  const petName = nameForMail(told.petName) || 'Your pet'
  return {
    subject: `${petName}’s policy has ended`,
    parts: [
      greeting(told.firstName),
      `Your insurer tells us that policy ${told.policy} is no longer active. ${petName}’s place on the membership that came with it has ended, and so has PawCare cover.`,
      'Your pets and consults stay in your account. If this is a mistake, please speak to your insurer: once they tell us that the policy is active, everything will continue automatically.',
      'To continue without the policy, you can become a member yourself.',
      { button: 'See membership', to: '/petculture-plus' },
    ],
  }
}

const listed = (bad: BadRow[]) => {
  const said = bad.slice(0, ROWS_NAMED).map(({ row, why }) => `Row ${row} ${why}.`)
  return bad.length > ROWS_NAMED ? [...said, `And ${bad.length - ROWS_NAMED} more.`] : said
}
const ROWS_NAMED = 30

interface Fed {
  file: string
  live: number
  added: number
  changed: number
  lapsed: number
  bad: BadRow[]
}

/** Goes to staff and the insurer: nothing happens until a person has checked. */
export const feedHeldLetter = ({ file, live, lapsed }: Fed): Letter => ({
  subject: `The policy feed ${file} is waiting for approval`,
  parts: [
    `It would end ${lapsed} of ${live} live policies, which is more than one in five. None of it was applied.`,
    'If the file is right, an admin can let it through in the Admin Manager, under Feed. If it isn’t, please send a corrected one; this file won’t be used.',
  ],
})

export const feedRowsLetter = ({ file, added, changed, lapsed, bad }: Fed): Letter => ({
  subject: `The policy feed ${file} has ${bad.length === 1 ? 'a row' : `${bad.length} rows`} that we couldn’t use`,
  parts: [
    `Everything else was applied: ${added} new, ${changed} changed, ${lapsed} ended. The following rows were left as they were.`,
    ...listed(bad),
  ],
})

export const feedRefusedLetter = (file: string, why: string): Letter => ({
  subject: `We couldn’t read the policy feed ${file}`,
  parts: [`${why}. None of it was applied.`],
})
