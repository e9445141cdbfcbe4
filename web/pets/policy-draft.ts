import { leaveDraft } from '../ui/form-draft.ts'

export const POLICY_DRAFT = 'pet:policy'

/** The form on /addpet begins with this number, so that nobody copies it from a link that they opened elsewhere. */
export const bringPolicy = (policy: string) => leaveDraft(POLICY_DRAFT, { policy })
