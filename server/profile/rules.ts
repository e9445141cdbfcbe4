/** Stands where an email stood; nobody can be written to there. */
export const goneAddress = (userId: number) => `gone-${userId}@deleted.invalid`
export const GONE_ADDRESSES = 'gone-%@deleted.invalid'

export function yearsAfter(day: Date, years: number): Date {
  const then = new Date(day)
  then.setUTCFullYear(then.getUTCFullYear() + years)
  return then
}
