/** The link that dials a number as people wrote it. */
export const telOf = (phone: string) => `tel:${phone.replace(/[^\d+]/g, '')}`
