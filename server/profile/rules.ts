/** Replaces an erased email; no mail can be sent to it. */
export const goneAddress = (userId: number) => `gone-${userId}@deleted.invalid`
export const GONE_ADDRESSES = 'gone-%@deleted.invalid'
