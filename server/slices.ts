import * as accounts from '#contract/accounts.ts'
import * as aftercare from '#contract/aftercare.ts'
import * as analytics from '#contract/analytics.ts'
import type { Event } from '#contract/call.ts'
import * as chat from '#contract/chat.ts'
import * as checkout from '#contract/checkout.ts'
import * as claims from '#contract/claims.ts'
import * as clinical from '#contract/clinical.ts'
import * as clinics from '#contract/clinics.ts'
import * as consultations from '#contract/consultations.ts'
import * as contact from '#contract/contact.ts'
import * as content from '#contract/content.ts'
import * as coupons from '#contract/coupons.ts'
import * as escalation from '#contract/escalation.ts'
import * as factor from '#contract/factor.ts'
import * as health from '#contract/health.ts'
import * as human from '#contract/human.ts'
import * as joining from '#contract/joining.ts'
import * as ledger from '#contract/ledger.ts'
import * as library from '#contract/library.ts'
import * as logs from '#contract/logs.ts'
import * as memberships from '#contract/memberships.ts'
import * as overview from '#contract/overview.ts'
import * as payments from '#contract/payments.ts'
import * as people from '#contract/people.ts'
import * as pets from '#contract/pets.ts'
import * as phone from '#contract/phone.ts'
import * as policies from '#contract/policies.ts'
import * as portal from '#contract/portal.ts'
import * as profile from '#contract/profile.ts'
import * as purchases from '#contract/purchases.ts'
import * as queue from '#contract/queue.ts'
import * as records from '#contract/records.ts'
import * as roster from '#contract/roster.ts'
import * as sandbox from '#contract/sandbox.ts'
import * as urgency from '#contract/urgency.ts'
import * as vets from '#contract/vets.ts'
import * as video from '#contract/video.ts'
import * as accountsClaimWrites from './accounts/claim-writes.ts'
import { accountJobs } from './accounts/jobs.ts'
import * as accountsReads from './accounts/reads.ts'
import * as accountsWrites from './accounts/writes.ts'
import * as aftercareReads from './aftercare/reads.ts'
import * as aftercareWrites from './aftercare/writes.ts'
import * as analyticsWrites from './analytics/writes.ts'
import { chatJobs } from './chat/jobs.ts'
import * as chatReads from './chat/reads.ts'
import * as chatWrites from './chat/writes.ts'
import { sendMarks, sendMessage } from './chat/writes.ts'
import * as checkoutWrites from './checkout/writes.ts'
import { oneConsult } from './checkout/writes.ts'
import { claimJobs } from './claims/jobs.ts'
import * as claimsReads from './claims/reads.ts'
import * as claimsWrites from './claims/writes.ts'
import * as clinicalReads from './clinical/reads.ts'
import * as clinicalWrites from './clinical/writes.ts'
import * as clinicsReads from './clinics/reads.ts'
import * as clinicsWrites from './clinics/writes.ts'
import { consultationJobs } from './consultations/jobs.ts'
import * as consultationsLevelWrites from './consultations/level-writes.ts'
import * as consultationsListReads from './consultations/list-reads.ts'
import { versionOfLists } from './consultations/list-reads.ts'
import * as consultationsReads from './consultations/reads.ts'
import * as consultationsWrites from './consultations/writes.ts'
import { contactJobs } from './contact/jobs.ts'
import * as contactWrites from './contact/writes.ts'
import * as contentClinicReads from './content/clinic-reads.ts'
import * as contentReads from './content/reads.ts'
import * as contentWrites from './content/writes.ts'
import * as couponsReads from './coupons/reads.ts'
import * as couponsWrites from './coupons/writes.ts'
import { escalationJobs } from './escalation/jobs.ts'
import * as escalationReads from './escalation/reads.ts'
import * as escalationWrites from './escalation/writes.ts'
import { factorJobs } from './factor/jobs.ts'
import * as factorReads from './factor/reads.ts'
import * as factorWrites from './factor/writes.ts'
import * as healthReads from './health/reads.ts'
import { sweepReceived } from './http/body.ts'
import { keepBuild } from './http/page-files.ts'
import { listen, serve, type Served } from './http/serve.ts'
import * as humanReads from './human/reads.ts'
import { sweepCodes } from './identity/codes.ts'
import { sweepSpent } from './identity/single-use-tokens.ts'
import type { Job } from './jobs/clock.ts'
import { joiningJobs } from './joining/jobs.ts'
import * as joiningWrites from './joining/writes.ts'
import { membership } from './joining/writes.ts'
import { ledgerJobs } from './ledger/jobs.ts'
import * as ledgerReads from './ledger/reads.ts'
import * as ledgerSearchReads from './ledger/search-reads.ts'
import * as ledgerWrites from './ledger/writes.ts'
import { libraryJobs } from './library/jobs.ts'
import * as libraryReads from './library/reads.ts'
import * as libraryWrites from './library/writes.ts'
import * as logsReads from './logs/reads.ts'
import * as logsWrites from './logs/writes.ts'
import { sweepMails } from './mail/outbox.ts'
import { sweepSms } from './mail/sms-outbox.ts'
import { giftJobs } from './memberships/gift-jobs.ts'
import { membershipJobs } from './memberships/jobs.ts'
import * as membershipsReads from './memberships/reads.ts'
import { overviewJobs } from './overview/jobs.ts'
import * as overviewReads from './overview/reads.ts'
import * as paymentsReads from './payments/reads.ts'
import * as paymentsWrites from './payments/writes.ts'
import { forPet } from './payments/writes.ts'
import * as peopleSearchReads from './people/search-reads.ts'
import * as peopleWrites from './people/writes.ts'
import * as petsCareWrites from './pets/care-writes.ts'
import { petJobs } from './pets/jobs.ts'
import * as petsReads from './pets/reads.ts'
import * as petsWrites from './pets/writes.ts'
import * as phoneReads from './phone/reads.ts'
import * as phoneWrites from './phone/writes.ts'
import { policyJobs } from './policies/jobs.ts'
import * as policiesWrites from './policies/writes.ts'
import * as portalDeferredReads from './portal/deferred-reads.ts'
import { portalJobs } from './portal/jobs.ts'
import * as portalReads from './portal/reads.ts'
import { versionOfClinicList } from './portal/reads.ts'
import * as portalWrites from './portal/writes.ts'
import * as profileExportReads from './profile/export-reads.ts'
import { profileJobs } from './profile/jobs.ts'
import * as profileLookReads from './profile/look-reads.ts'
import * as profileReads from './profile/reads.ts'
import * as profileWrites from './profile/writes.ts'
import { purchaseJobs } from './purchases/jobs.ts'
import * as purchasesReads from './purchases/reads.ts'
import type { Kind } from './purchases/rules.ts'
import * as purchasesWrites from './purchases/writes.ts'
import { queueJobs } from './queue/jobs.ts'
import * as queueReads from './queue/reads.ts'
import * as queueWrites from './queue/writes.ts'
import * as recordsReads from './records/reads.ts'
import * as recordsWrites from './records/writes.ts'
import * as rosterReads from './roster/reads.ts'
import * as rosterWrites from './roster/writes.ts'
import * as sandboxReads from './sandbox/reads.ts'
import * as sandboxWrites from './sandbox/writes.ts'
import * as urgencyLiveReads from './urgency/live-reads.ts'
import * as urgencyReads from './urgency/reads.ts'
import * as urgencyReplayReads from './urgency/replay-reads.ts'
import * as urgencyWrites from './urgency/writes.ts'
import * as vetsReads from './vets/reads.ts'
import * as vetsWrites from './vets/writes.ts'
import { videoJobs } from './video/jobs.ts'
import * as videoReads from './video/reads.ts'
import * as videoWrites from './video/writes.ts'

/* What each slice serves and does in the background. */

export const CALLS = [
  ...serve(health, healthReads),
  ...serve(sandbox, { ...sandboxReads, ...sandboxWrites }),
  ...serve(accounts, { ...accountsClaimWrites, ...accountsReads, ...accountsWrites }),
  ...serve(profile, { ...profileLookReads, ...profileExportReads, ...profileReads, ...profileWrites }),
  ...serve(factor, { ...factorReads, ...factorWrites }),
  ...serve(records, { ...recordsReads, ...recordsWrites }),
  ...serve(roster, { ...rosterReads, ...rosterWrites }),
  ...serve(pets, { ...petsReads, ...petsCareWrites, ...petsWrites }),
  ...serve(phone, { ...phoneReads, ...phoneWrites }),
  ...serve(policies, policiesWrites),
  ...serve(
    portal,
    { ...portalDeferredReads, ...portalReads, ...portalWrites },
    { listClinicConsultations: versionOfClinicList },
  ),
  ...serve(claims, { ...claimsReads, ...claimsWrites }),
  ...serve(clinics, { ...clinicsReads, ...clinicsWrites }),
  ...serve(escalation, { ...escalationReads, ...escalationWrites }),
  ...serve(memberships, membershipsReads),
  ...serve(payments, { ...paymentsReads, ...paymentsWrites }),
  ...serve(ledger, { ...ledgerReads, ...ledgerSearchReads, ...ledgerWrites }),
  ...serve(overview, overviewReads),
  ...serve(purchases, { ...purchasesReads, ...purchasesWrites }),
  ...serve(checkout, checkoutWrites),
  ...serve(joining, joiningWrites),
  ...serve(
    consultations,
    { ...consultationsLevelWrites, ...consultationsListReads, ...consultationsReads, ...consultationsWrites },
    { listConsultations: versionOfLists },
  ),
  ...serve(chat, {
    ...chatReads,
    ...chatWrites,
    sendMessageByCall: sendMessage,
    sendMarksByCall: sendMarks,
  }),
  ...serve(video, videoReads),
  ...serve(queue, { ...queueReads, ...queueWrites }),
  ...serve(clinical, { ...clinicalReads, ...clinicalWrites }),
  ...serve(contact, contactWrites),
  ...serve(analytics, analyticsWrites),
  ...serve(library, { ...libraryReads, ...libraryWrites }),
  ...serve(content, { ...contentClinicReads, ...contentReads, ...contentWrites }),
  ...serve(coupons, { ...couponsReads, ...couponsWrites }),
  ...serve(vets, { ...vetsReads, ...vetsWrites }),
  ...serve(human, humanReads),
  ...serve(aftercare, { ...aftercareReads, ...aftercareWrites }),
  ...serve(people, { ...peopleSearchReads, ...peopleWrites }),
  ...serve(logs, { ...logsReads, ...logsWrites }),
  ...serve(urgency, { ...urgencyLiveReads, ...urgencyReads, ...urgencyReplayReads, ...urgencyWrites }),
]
export const EVENTS: Served<Event>[] = [
  ...listen(chat, { ...chatReads, ...chatWrites }),
  ...listen(queue, queueWrites),
  ...listen(video, videoWrites),
]
export const KINDS: Kind[] = [forPet, oneConsult, membership]
/** In this order if they run one after the other, as in tests. */
export const JOBS: Job[] = [
  ...accountJobs,
  ...profileJobs,
  ...factorJobs,
  ...petJobs,
  ...libraryJobs,
  ...policyJobs,
  ...portalJobs,
  ...escalationJobs,
  ...claimJobs,
  ...chatJobs,
  ...videoJobs,
  ...membershipJobs,
  ...ledgerJobs,
  ...purchaseJobs(KINDS),
  ...joiningJobs,
  ...giftJobs,
  ...consultationJobs,
  ...queueJobs,
  ...contactJobs,
  ...overviewJobs,
  keepBuild,
  sweepMails,
  sweepSms,
  sweepReceived,
  sweepSpent,
  sweepCodes,
]
