import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { nothing, text, typedCode } from './fields.ts'
import * as lengths from './lengths.ts'
import { confirmation } from './human.ts'

/* Pet policies of the partner insurer: looking one up, and binding it to an account. */

export const POLICY_CODE_HOURS = 48

export const policyNumber = text(lengths.code, sentenceOf('POLICY_INVALID'), sentenceOf('POLICY_INVALID'))

export const lookUpPolicy = call('GET', '/pet/policy/:policy', {
  summary: 'What a form needs to know about a live, unbound policy of the partner insurer',
  access: 'anyone',
  input: z.object({
    policy: policyNumber,
    ...confirmation,
  }),
  output: z.object({
    policy: z.object({ policy: z.string(), pet_name: z.string(), pet_type: z.number() }),
  }),
})

export const confirmPolicy = call('POST', '/pet/policy/confirm', {
  summary: "Bind a policy by the code that was mailed to its holder's address",
  access: ['owner'],
  input: z.object({
    code: typedCode(lengths.mailedCode, sentenceOf('RESET_CODE_MISSING'), sentenceOf('POLICY_CODE_WRONG')),
  }),
  output: nothing,
})

export const askPolicyCode = call('POST', '/pet/policy/code', {
  summary: "Mail the code again to the holder's address",
  access: ['owner'],
  input: z.object({ policy: policyNumber }),
  output: nothing,
})
