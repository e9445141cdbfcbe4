import { POLICY_CODE_HOURS } from '#contract/policies.ts'
import type { Site } from '../env.ts'
import type { Letter } from '../letter.ts'
import { hinted } from './rules.ts'

interface Asked {
  policy: string
  petName: string
  /** The email of the account that asks. */
  by: string
  code: string
}

/** Goes to the address that the insurer has of the policy's holder. */
export const policyCodeLetter = (site: Site, { policy, petName, by, code }: Asked): Letter => ({
  subject: 'The code for your pet policy',
  parts: [
    'Hello,',
    `The VetChat account of ${hinted(by)} asks to use your policy ${policy} for ${petName}. If that is you, enter this code there. It works once, for ${POLICY_CODE_HOURS} hours.`,
    { code: code.match(/.{1,5}/g)!.join('-') },
    { button: 'Open my account', to: `${site.url}/myaccount` },
    {
      quiet:
        'If you do not know this account, you can leave this email alone and keep the code to yourself. Your policy stays as it is.',
    },
  ],
})
