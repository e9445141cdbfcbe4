/**
 * What happens when a limit is full. Strangers may share an address, so a limit that they can fill for others never
 * makes people wait: it asks for the human check, which a page solves for them (decision 035).
 */
type Full = 'waits' | 'human check' | 'dropped silently' | 'logged'

/**
 * How often something may be tried: at most `max` times in a window that opens with the first attempt. "Browser" is the
 * account, else a browser that signed in or paid before, else everybody else behind the address.
 */
export const LIMITS = {
  signInHere: { max: 10, minutes: 15, per: 'typed email or username and address, failures', full: 'waits' },
  /** Browsers that signed in before, or just set the password by mail, are let in. */
  signInEmail: { max: 100, minutes: 60, per: 'typed email or username, failures elsewhere', full: 'waits' },
  /** Each opens a session, which is kept for a month after it ends, and checking a password keeps a processor busy. */
  signIns: { max: 1000, minutes: 60, per: 'typed email or username, right passwords', full: 'waits' },
  signInAddress: { max: 300, minutes: 60, per: 'address, failures', full: 'human check' },
  /** As long as a code is valid: if a stranger used this up, a mailed code still works. */
  resetCodeEmail: { max: 3, minutes: 30, per: 'typed email', full: 'dropped silently' },
  resetCodeAddress: { max: 30, minutes: 60, per: 'browser', full: 'human check' },
  resetAddress: { max: 10, minutes: 60, per: 'browser', full: 'human check' },
  resetOverAll: { max: 1000, minutes: 60, per: 'the whole product, wrong codes', full: 'logged' },
  claimAddress: { max: 10, minutes: 60, per: 'browser', full: 'human check' },
  currentPassword: { max: 10, minutes: 15, per: 'person, wrong current passwords', full: 'waits' },
  factorCode: { max: 5, minutes: 15, per: 'person, wrong codes of the second factor', full: 'waits' },
  factorWarning: {
    max: 1,
    minutes: 24 * 60,
    per: 'person, mails about wrong codes',
    full: 'dropped silently',
  },
  changeEmail: { max: 5, minutes: 60, per: 'person', full: 'waits' },
  confirmEmailAddress: { max: 10, minutes: 60, per: 'browser', full: 'human check' },
  unconfirmedEmail: {
    max: 6,
    minutes: 60,
    per: 'mailbox, mails of accounts that haven’t confirmed it',
    full: 'dropped silently',
  },
  exportData: { max: 10, minutes: 60, per: 'person', full: 'waits' },
  policyLookUps: { max: 10, minutes: 10, per: 'browser', full: 'human check' },
  policyCode: { max: 10, minutes: 60, per: 'person, wrong codes', full: 'waits' },
  refusedCards: { max: 5, minutes: 60, per: 'person, refused cards', full: 'waits' },
  /** Each change mails the person. */
  membershipChanges: {
    max: 20,
    minutes: 60,
    per: 'person, memberships cancelled or restarted, and cards replaced',
    full: 'waits',
  },
  paymentsUnchecked: { max: 2, minutes: 60, per: 'browser, refused cards', full: 'human check' },
  cardRefused: { max: 5, minutes: 60, per: 'card, refusals', full: 'waits' },
  challengesOpen: {
    max: 5,
    minutes: 60,
    per: 'browser, bank challenges that weren’t answered',
    full: 'human check',
  },
  /** In the sandbox, all who try the product share one card. */
  cardChallenged: { max: 20, minutes: 60, per: 'card, bank challenges that weren’t answered', full: 'waits' },
  /** Each holds a use of the coupon for a few minutes. Without the coupon, the card can still pay. */
  couponChallenged: {
    max: 3,
    minutes: 60,
    per: 'card and coupon, bank challenges that weren’t answered',
    full: 'waits',
  },
  /** Buyers who signed in or paid before are let through. */
  challengesOverAll: {
    max: 100,
    minutes: 60,
    per: 'the whole product, bank challenges that weren’t answered',
    full: 'human check',
  },
  /** Each one rings on every vet's page and costs the provider's fee, although it is refunded. */
  cardCancelled: {
    max: 30,
    minutes: 24 * 60,
    per: 'card, consults cancelled before an answer',
    full: 'waits',
  },
  /** Only free purchases wait; people who pay are let through. */
  freePurchases: { max: 5, minutes: 60, per: 'browser, purchases that cost nothing', full: 'waits' },
  /** A few vets couldn't take more than this in an hour. Buyers who signed in or paid before are let through. */
  freeOfCoupon: {
    max: 30,
    minutes: 60,
    per: 'coupon, purchases of strangers in the whole product that cost nothing',
    full: 'waits',
  },
  begunMails: { max: 3, minutes: 60, per: 'mailbox, purchases that cost nothing', full: 'dropped silently' },
  /** Each one rings on every vet's page, even if its owner leaves again straight away. */
  consultsStarted: { max: 120, minutes: 60, per: 'person, consults started as a member', full: 'waits' },
  /** Reading takes up to 20 ms of the processor. */
  complaintsRead: {
    max: 120,
    minutes: 10,
    per: 'browser, complaints read before paying',
    full: 'human check',
  },
  addedRead: {
    max: 60,
    minutes: 10,
    per: 'consultation, messages read for an emergency while no vet reads along',
    full: 'dropped silently',
  },
  guestEmail: { max: 5, minutes: 60, per: 'consultation, corrected emails', full: 'waits' },
  couponMisses: { max: 10, minutes: 10, per: 'browser, misses', full: 'human check' },
  signUpAddress: { max: 30, minutes: 60, per: 'browser', full: 'human check' },
  /** Each leaves rows that are never deleted, even if the pet is put away. */
  petsAdded: {
    max: 30,
    minutes: 24 * 60,
    per: 'person, pets added, put back or given a place',
    full: 'waits',
  },
  claimsUnpaid: { max: 5, minutes: 24 * 60, per: 'person, claims that would pay nothing', full: 'waits' },
  linkAddress: { max: 30, minutes: 60, per: 'browser', full: 'human check' },
  clinicMail: { max: 30, minutes: 60, per: 'clinic, changes of when its consults are mailed', full: 'waits' },
  rings: { max: 12, minutes: 10, per: 'consultation, video calls that a vet began', full: 'waits' },
  /** A page joins again at each new connection, and about every 15 s on a poor network. */
  callJoins: { max: 120, minutes: 5, per: 'side of a video call', full: 'waits' },
  callSignals: { max: 600, minutes: 10, per: 'side of a video call, batches of signals', full: 'waits' },
  linkMails: { max: 3, minutes: 60, per: 'consultation', full: 'dropped silently' },
  clinicShares: { max: 5, minutes: 60, per: 'consultation, shares and their pictures', full: 'waits' },
  checkIns: { max: 10, minutes: 60, per: 'consultation, answers to the check-in', full: 'waits' },
  comingAndGoing: {
    max: 60,
    minutes: 10,
    per: 'consultation, its owner opening and closing the page',
    full: 'dropped silently',
  },
  /** Each one sends an SMS and a mail, and more of them to the next contacts. */
  contactsCalled: {
    max: 30,
    minutes: 60,
    per: 'person, cases for which a contact was called',
    full: 'waits',
  },
  /** Each one mails the clinic. */
  phoneConsults: { max: 60, minutes: 60, per: 'person, phone consults recorded', full: 'waits' },
  contactAddress: { max: 5, minutes: 60, per: 'browser, messages', full: 'human check' },
  contactEmail: { max: 3, minutes: 60, per: 'mailbox, receipts', full: 'dropped silently' },
  analyticsAddress: { max: 600, minutes: 60, per: 'browser, counts', full: 'waits' },
  newsletterAddress: { max: 5, minutes: 60, per: 'browser', full: 'human check' },
  newsletterEmail: { max: 3, minutes: 60, per: 'mailbox', full: 'dropped silently' },
  backAddress: { max: 5, minutes: 60, per: 'browser, asked to hear when a vet is back', full: 'human check' },
  backEmail: { max: 3, minutes: 24 * 60, per: 'mailbox, told that a vet is back', full: 'dropped silently' },
  /** Each one is a mail to the owner, and perhaps to their clinic. */
  adviceSent: { max: 20, minutes: 60, per: 'consultation, advice after the end', full: 'waits' },
  resendMail: { max: 1, minutes: 1, per: 'mail, sent again by staff', full: 'waits' },
  claimMails: { max: 3, minutes: 60, per: 'mailbox of a guest', full: 'dropped silently' },
} as const satisfies Record<string, { max: number; minutes: number; per: string; full: Full }>

export type LimitName = keyof typeof LIMITS

/** How many files may be stored, and how many bytes of them together. A day is the last 24 hours. */
export const QUOTAS = {
  /** Once there are this many messages, the owner can't send more; the vets still can. */
  consultation: { files: 50, bytes: 300 * 1024 * 1024, messages: 5000 },
  personADay: { files: 100, bytes: 600 * 1024 * 1024 },
} as const

/**
 * How many calls and socket events of one person, guest or clinic an instance works on at the same time, or calls without
 * a session from one browser or address. The others wait. The database has ten connections, so one caller can't take them
 * all. One that takes longer than a second is waiting for something else, such as a bank, and no longer counts.
 */
export const AT_WORK = { session: 6, address: 30, seconds: 1 } as const

/**
 * How many sign-ins of browsers that never signed in before an instance works on at the same time. While there are more,
 * each needs the human check before its password is checked.
 */
export const SIGN_INS_AT_WORK = 100

/** Of these, enough to keep both password threads busy, and few enough that a known browser hardly waits. */
export const STRANGERS_AT_ONCE = 4

/** While an instance has so many complaints of strangers to read, each more needs the human check. */
export const COMPLAINTS_AT_WORK = 30

/** While an instance works on so many cards or guesses of a browser, each more needs the human check. */
export const TRIES_AT_WORK = 20

/** How many uploads an instance receives from one person or guest. Its disk holds them before any quota is checked. */
export const UPLOADS_AT_WORK = 10
