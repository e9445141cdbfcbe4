import * as calls from '#contract/policies.ts'
import { listPets } from '#contract/pets.ts'
import { useForForm } from '../lib/for-form.ts'
import { say, sentence } from '../ui/say.ts'

const NOT_LOOKED_UP = sentence('We couldn’t reach VetChat, so the policy wasn’t looked up. Please try again.')
const NOT_CONFIRMED = sentence(
  'We couldn’t reach VetChat, so nothing has been confirmed yet. Please try again.',
)

export const useLookUpPolicy = () => useForForm(calls.lookUpPolicy, { unanswered: say(NOT_LOOKED_UP) })

export const useConfirmPolicy = () =>
  useForForm(calls.confirmPolicy, { invalidates: [listPets], unanswered: say(NOT_CONFIRMED) })

export const useAskPolicyCode = () =>
  useForForm(calls.askPolicyCode, { unanswered: say('We couldn’t reach VetChat. Please ask again.') })
