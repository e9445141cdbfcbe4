/** How often something may be tried: at most `max` times in a window that opens with the first attempt. */
export const LIMITS = {
  signInHere: { max: 10, minutes: 15, per: 'typed email and address, failures' },
  signInEmail: {
    max: 100,
    minutes: 60,
    per: 'typed email, failures; then only from browsers that signed in before',
  },
  signInAddress: { max: 300, minutes: 60, per: 'address, failures' },
  resetCodeEmail: { max: 3, minutes: 60, per: 'typed email, silently' },
  resetCodeAddress: { max: 30, minutes: 60, per: 'address' },
  resetAddress: { max: 10, minutes: 60, per: 'address' },
  resetOverAll: { max: 1000, minutes: 60, per: 'the whole product, wrong codes' },
  currentPassword: { max: 10, minutes: 15, per: 'person, wrong current passwords' },
  changeEmail: { max: 5, minutes: 60, per: 'person' },
  confirmEmailAddress: { max: 10, minutes: 60, per: 'address' },
  exportData: { max: 10, minutes: 60, per: 'person' },
  policyMisses: { max: 10, minutes: 10, per: 'address, misses' },
  policyCode: { max: 10, minutes: 60, per: 'person, wrong codes' },
  refusedCards: { max: 5, minutes: 60, per: 'person, refused cards' },
  paymentsHere: { max: 5, minutes: 60, per: 'address, refused cards of people without an account' },
  cardRefused: { max: 5, minutes: 60, per: 'card, refusals' },
  /** After these, paying takes a human check. */
  paymentsUnchecked: { max: 2, minutes: 60, per: 'address, refused cards' },
  couponMisses: { max: 10, minutes: 10, per: 'address, misses' },
  signUpAddress: { max: 30, minutes: 60, per: 'address' },
  linkAddress: { max: 30, minutes: 60, per: 'address' },
  linkMails: { max: 3, minutes: 60, per: 'consultation, silently' },
  contactAddress: { max: 5, minutes: 60, per: 'address, messages' },
  contactEmail: { max: 3, minutes: 60, per: 'typed email, receipts, silently' },
  analyticsAddress: { max: 600, minutes: 60, per: 'address, counts' },
  newsletterAddress: { max: 5, minutes: 60, per: 'address, askings' },
  newsletterEmail: { max: 3, minutes: 60, per: 'typed email, silently' },
  claimMails: { max: 3, minutes: 60, per: 'email of a guest, silently' },
  claimAddress: { max: 10, minutes: 60, per: 'address' },
} as const satisfies Record<string, { max: number; minutes: number; per: string }>

export type LimitName = keyof typeof LIMITS

/** How many files may be stored, and how many bytes of them together. A day is the last 24 hours. */
export const QUOTAS = {
  consultation: { files: 50, bytes: 300 * 1024 * 1024 },
  personADay: { files: 100, bytes: 600 * 1024 * 1024 },
} as const
