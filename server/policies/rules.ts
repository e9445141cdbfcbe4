/** Normalises a policy number: case and spaces don't count. */
export const asStored = (typed: string) => typed.replace(/\s/g, '').toUpperCase()

/** Shows enough of an email for its owner to recognise it. */
export const hinted = (email: string) => email.replace(/^([^@]{1,2})[^]*/, '$1…')
