import * as calls from '#contract/policies.ts'
import { listPets } from '#contract/pets.ts'
import { useForForm } from '../lib/for-form.ts'
import { useCall } from '../lib/queries.ts'
import { say } from '../ui/say.ts'

export const useLookUpPolicy = () =>
  useForForm(calls.lookUpPolicy, {
    unanswered: say('We couldn’t reach VetChat, so the policy wasn’t looked up. Please try again.'),
  })

export const useConfirmPolicy = () =>
  useForForm(calls.confirmPolicy, {
    invalidates: [listPets],
    unanswered: say('We couldn’t reach VetChat, so nothing has been confirmed yet. Please try again.'),
  })

export const useAskPolicyCode = () => useCall(calls.askPolicyCode, { showsFailure: true })
