/**
 * Every table, under the slices that write it. The database refuses invalid states, even if the code doesn't.
 * Times have a zone, and money is in minor units. Addresses that are stored here never appear in a log.
 */

/* accounts, profile, queue, vets */
export { users } from './schema/accounts.ts'

/* identity, accounts */
export { sessions, tries } from './schema/identity.ts'

/* identity, profile */
export { auditLog } from './schema/identity.ts'

/* identity */
export { consents, mailedCodes, spent } from './schema/identity.ts'

/* accounts, profile */
export { codeRequests } from './schema/identity.ts'

/* http */
export { pageFiles } from './schema/pages.ts'

/* factor */
export { factors, recoveryCodes } from './schema/factor.ts'

/* mail, profile */
export { mails } from './schema/mail.ts'

/* mail */
export { smsMessages } from './schema/mail.ts'

/* vets */
export { vetCards } from './schema/vets.ts'

/* pets */
export { species, breeds, uploads, pets, careItems } from './schema/pets.ts'

/* records, pets */
export { petWeights, petFacts } from './schema/records.ts'

/* policies */
export { policies, feedRuns } from './schema/policies.ts'

/* memberships */
export { subscriptions, subscriptionPets, pawcarePets, giftCards } from './schema/memberships.ts'

/* claims */
export { claims } from './schema/claims.ts'

/* coupons */
export { coupons, couponUses } from './schema/coupons.ts'

/* purchases, payments */
export { purchases } from './schema/purchases.ts'

/* ledger */
export { ledger, refunds, disputes } from './schema/ledger.ts'

/* payments, purchases */
export { customers, cards, providerEvents } from './schema/payments.ts'

/* sandbox */
export { sandboxObjects, sandboxAnswers, sandboxDeliveries, sandboxFaults } from './schema/sandbox.ts'

/* jobs, content */
export { settings } from './schema/settings.ts'

/* clinics, portal */
export { clinics, clinicPeople } from './schema/clinics.ts'

/* escalation */
export { escalations, escalationSteps } from './schema/escalation.ts'

/* consultations, queue, aftercare, chat */
export { consultations, listChanges } from './schema/consultations.ts'

/* consultations */
export { levelChanges } from './schema/urgency.ts'

/* urgency */
export { versionSteps } from './schema/urgency.ts'

/* consultations */
export { ratings } from './schema/consultations.ts'

/* chat, consultations */
export { messages, attachments, readMarks } from './schema/chat.ts'

/* video */
export { videoCalls } from './schema/video.ts'

/* clinical */
export { clinicalNotes, notes, ownReplies, summaries } from './schema/clinical.ts'

/* roster */
export { shifts } from './schema/roster.ts'

/* phone */
export { phoneConsults, phoneDrafts } from './schema/phone.ts'

/* library */
export { resources, libraryFiles } from './schema/library.ts'

/* content */
export { contentVersions, contentDrafts } from './schema/content.ts'

/* content */
export { testimonials, partners } from './schema/library.ts'

/* content */
export { cannedReplies } from './schema/clinical.ts'

/* overview */
export { dayChanges, dayFigures } from './schema/overview.ts'

/* contact */
export { backAsks, contactMessages, newsletter } from './schema/contact.ts'
