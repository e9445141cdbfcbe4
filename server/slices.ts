import type { Event } from '#contract/call.ts'
import { accountJobs } from './accounts/jobs.ts'
import { accountRoutes } from './accounts/routes.ts'
import { aftercareRoutes } from './aftercare/routes.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { chatJobs } from './chat/jobs.ts'
import { chatRoutes } from './chat/routes.ts'
import { chatSockets } from './chat/sockets.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { oneConsult } from './checkout/writes.ts'
import { claimJobs } from './claims/jobs.ts'
import { claimRoutes } from './claims/routes.ts'
import { clinicalRoutes } from './clinical/routes.ts'
import { clinicRoutes } from './clinics/routes.ts'
import { consultationJobs } from './consultations/jobs.ts'
import { consultationRoutes } from './consultations/routes.ts'
import { contactJobs } from './contact/jobs.ts'
import { contactRoutes } from './contact/routes.ts'
import { contentRoutes } from './content/routes.ts'
import { couponRoutes } from './coupons/routes.ts'
import { escalationJobs } from './escalation/jobs.ts'
import { escalationRoutes } from './escalation/routes.ts'
import { factorJobs } from './factor/jobs.ts'
import { factorRoutes } from './factor/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { sweepReceived } from './http/body.ts'
import { keepBuild } from './http/page-files.ts'
import type { Served } from './http/serve.ts'
import { humanRoutes } from './human/routes.ts'
import { sweepCodes } from './identity/codes.ts'
import { sweepSpent } from './identity/single-use-tokens.ts'
import type { Job } from './jobs/clock.ts'
import { joiningJobs } from './joining/jobs.ts'
import { joiningRoutes } from './joining/routes.ts'
import { membership } from './joining/writes.ts'
import { ledgerJobs } from './ledger/jobs.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { libraryJobs } from './library/jobs.ts'
import { libraryRoutes } from './library/routes.ts'
import { logRoutes } from './logs/routes.ts'
import { sweepMails } from './mail/outbox.ts'
import { sweepSms } from './mail/sms-outbox.ts'
import { giftJobs } from './memberships/gift-jobs.ts'
import { membershipJobs } from './memberships/jobs.ts'
import { membershipRoutes } from './memberships/routes.ts'
import { overviewJobs } from './overview/jobs.ts'
import { overviewRoutes } from './overview/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { forPet } from './payments/writes.ts'
import { peopleRoutes } from './people/routes.ts'
import { petJobs } from './pets/jobs.ts'
import { petRoutes } from './pets/routes.ts'
import { phoneRoutes } from './phone/routes.ts'
import { policyJobs } from './policies/jobs.ts'
import { policyRoutes } from './policies/routes.ts'
import { portalJobs } from './portal/jobs.ts'
import { portalRoutes } from './portal/routes.ts'
import { profileJobs } from './profile/jobs.ts'
import { profileRoutes } from './profile/routes.ts'
import { purchaseJobs } from './purchases/jobs.ts'
import { purchaseRoutes } from './purchases/routes.ts'
import type { Kind } from './purchases/rules.ts'
import { queueJobs } from './queue/jobs.ts'
import { queueRoutes } from './queue/routes.ts'
import { queueSockets } from './queue/sockets.ts'
import { recordRoutes } from './records/routes.ts'
import { rosterRoutes } from './roster/routes.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { urgencyRoutes } from './urgency/routes.ts'
import { vetRoutes } from './vets/routes.ts'
import { videoJobs } from './video/jobs.ts'
import { videoRoutes } from './video/routes.ts'
import { videoSockets } from './video/sockets.ts'

/* What each slice serves and does in the background. */

export const CALLS = [
  ...healthRoutes,
  ...sandboxRoutes,
  ...accountRoutes,
  ...profileRoutes,
  ...factorRoutes,
  ...recordRoutes,
  ...rosterRoutes,
  ...petRoutes,
  ...phoneRoutes,
  ...policyRoutes,
  ...portalRoutes,
  ...claimRoutes,
  ...clinicRoutes,
  ...escalationRoutes,
  ...membershipRoutes,
  ...paymentRoutes,
  ...ledgerRoutes,
  ...overviewRoutes,
  ...purchaseRoutes,
  ...checkoutRoutes,
  ...joiningRoutes,
  ...consultationRoutes,
  ...chatRoutes,
  ...videoRoutes,
  ...queueRoutes,
  ...clinicalRoutes,
  ...contactRoutes,
  ...analyticsRoutes,
  ...libraryRoutes,
  ...contentRoutes,
  ...couponRoutes,
  ...vetRoutes,
  ...humanRoutes,
  ...aftercareRoutes,
  ...peopleRoutes,
  ...logRoutes,
  ...urgencyRoutes,
]
export const EVENTS: Served<Event>[] = [...chatSockets, ...queueSockets, ...videoSockets]
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
