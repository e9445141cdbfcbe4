/** A policy's number as it is stored: case and spaces do not count. */
export const asStored = (typed: string) => typed.replace(/\s/g, '').toUpperCase()

/** Enough of an address for its owner's friends to know it by. */
export const hinted = (email: string) => email.replace(/^(.{1,2})[^@]*/, '$1…')
