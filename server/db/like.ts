/** A typed text as the pattern of a `like`, with its special characters escaped. */
export const literally = (typed: string) => typed.replace(/[\\%_]/g, '\\$&')
