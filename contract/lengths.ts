/* How many characters a field takes: a call refuses more, and a form doesn't let people type more. */

/** A first or last name, or a pet's. */
export const name = 80
export const fullName = 120
export const email = 254
export const password = 200
export const mobile = 40
export const postcode = 20
export const address = 300
/** The name of the owner's own clinic. */
export const clinic = 120
export const company = 160
/** The owner's description of the problem, and a vet's addition to a note. */
export const issue = 4000
/** An allergy, a medicine or a condition, and its details. */
export const fact = 120
export const reply = 2000
export const note = 8000
/** From one vet to another. */
export const handOver = 2000
export const enquiry = 5000
export const rating = 1000
/** What we write to an owner about the insurer's decision. */
export const decision = 1000
/** Why somebody opens a consult. */
export const reason = 200
/** A coupon's code, or a policy's number. */
export const code = 60
/** The partner that a coupon is for. */
export const referrer = 100
/** A code that people copy from a mail. */
export const mailedCode = 100
export const search = 100
