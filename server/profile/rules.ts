/** Replaces an erased email; no mail can be sent to it. */
export const goneAddress = (userId: number) => `gone-${userId}@deleted.invalid`
export const GONE_ADDRESSES = 'gone-%@deleted.invalid'

export function yearsAfter(day: Date, years: number): Date {
  const then = new Date(day)
  then.setUTCFullYear(then.getUTCFullYear() + years)
  return then
}
