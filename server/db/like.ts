/** What somebody typed, as the pattern of a `like` that takes its signs for themselves. */
export const literally = (typed: string) => typed.replace(/[\\%_]/g, '\\$&')
