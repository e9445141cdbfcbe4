import { STAFF_SENTENCES } from './staff-errors.ts'

/**
 * Every failure the product can show: by its status, its code and the sentence a person reads.
 * `{name}` in a sentence is filled from the values passed to fail().
 */
const SENTENCES = {
  400: {
    INVALID_INPUT: 'Please check what you entered and try again.',
    TEXT_TOO_LONG: 'This is too long. Please shorten it.',
    MALFORMED: 'We couldn’t read what was sent. Please try again.',
    WRONG_REGION: 'This address serves {expected}.',
    INVALID_IDEMPOTENCY_KEY: 'The Idempotency-Key must be 1 to 100 letters, digits, - or _.',
    CONSULT_TERMS_NOT_AGREED:
      'You must agree to our terms and conditions and privacy policy to start a consultation.',
    CONSULT_DETAILS_MISSING: 'Insufficient information provided for creating consultation.',
    CLINIC_SIGN_IN_EMPTY: 'Username or password field is empty.',
    CURRENT_PASSWORD_MISSING: 'Enter your current password.',
    NEW_PASSWORD_MISSING: 'Enter a new password.',
    DATES_WRONG: 'Choose two dates, the earlier one first, at most two years apart.',
    INVALID_EMAIL: 'Invalid Email address',
    CONTACT_REASON_MISSING: 'The reason for contact is empty.',
    CONTACT_NAME_MISSING: 'Name is empty',
    CONTACT_EMAIL_INVALID: 'Email is invalid',
    CONTACT_CLINIC_MISSING: 'Veterinary clinic or company is empty',
    CONTACT_BODY_MISSING: 'Message is empty',
    CONTACT_BODY_TOO_LONG: 'This is too long. A message can be up to 5,000 characters long.',
    EMAIL_MISSING: 'Email is empty',
    PASSWORD_MISSING: 'Password is required',
    WEAK_PASSWORD:
      'Password must contain: at least 8 characters, at least one lowercase letter (a-z), at least one uppercase letter (A-Z), at least one number (0-9)',
    PASSWORD_INVALID: 'Invalid Password.',
    PASSWORD_NOT_CONFIRMED: 'Confirm password is required',
    PASSWORDS_DIFFER: 'Passwords do not match',
    PASSWORD_TOO_LONG: 'A password can be up to 200 characters long.',
    RESET_CODE_MISSING: 'Please enter the code from the email.',
    RESET_CODE_WRONG:
      'This code is wrong, already used or more than 30 minutes old. Please ask for a new one.',
    CLAIM_LINK_WRONG:
      'This link is wrong, already used or more than 48 hours old. Ask for a new one under Forgot your password.',
    PET_DETAILS_MISSING: 'Missing pet details.',
    PET_TERMS_NOT_AGREED: 'You must agree to terms and conditions in order to proceed.',
    PET_NEEDS_PAYMENT_METHOD: 'You need to add payment method to your profile before adding pet.',
    WEIGHT_DATE_WRONG: 'Choose a day that isn’t in the future.',
    CARE_DATE_WRONG: 'Please enter a date that isn’t in the future.',
    POLICY_CODE_WRONG:
      'This code is wrong, already used or more than 48 hours old. Please ask for a new one.',
    CLAIM_DETAILS_MISSING: 'Please fill in the pet, what happened, the day, the amount and the invoice.',
    CLAIM_DATE_WRONG: 'Please enter the day it happened, today or earlier.',
    CLAIM_AMOUNT_WRONG: 'Please enter the amount of the invoice.',
    USER_UPDATE_FAILED: 'Failed to update user detail',
    PASSWORD_UPDATE_FAILED: 'Failed to update password',
    FIRST_NAME_MISSING: 'First name can not be empty',
    LAST_NAME_MISSING: 'Last name can not be empty',
    PHONE_MISSING: 'Phone can not be empty',
    PHONE_TOO_SHORT: 'This number has too few digits',
    PHONE_TOO_LONG: 'This number has too many digits',
    PHONE_WRONG: 'This number can’t be called',
    CURRENT_PASSWORD_WRONG: 'Your current password isn’t right.',
    EMAIL_LINK_WRONG: 'This link is wrong, already used or more than 48 hours old.',
    OUTCOME_MISSING: 'Please choose how the consult ended.',
    SUMMARY_MISSING: 'Please write what the owner should know.',
    CONTENT_MISSING: 'Fill this in first.',
    CONTENT_ADDRESS_WRONG: 'Start it with https://, or with / for our own page.',
    CONTENT_DATE_WRONG: 'Write the date as 2026-11-30.',
    CONTENT_PLACE_UNKNOWN: 'We don’t know some of the words in braces. Check how they’re spelled.',
    CONTENT_HOURS_WRONG: 'Write “18:00-08:00”, “all day” or “closed”.',
    CONTENT_ZONE_WRONG: 'Choose a time zone in the clinic’s country.',
    CONTENT_PHONE_WRONG: 'Write the number that people dial, such as 021 555 0142.',
    REGISTRATION_MISSING: 'Enter the vet’s registration number first.',
    USER_TYPE_WRONG: 'You can only make someone a vet or an owner here.',
    RESOURCE_TITLE_MISSING: 'Title is required',
    RESOURCE_TYPE_MISSING: 'Type is required',
    RESOURCE_FILE_WRONG:
      'Choose a PDF, a picture or a short video, or give the address of a YouTube or Vimeo player.',
    RESOURCE_PICTURE_WRONG: 'Choose a JPEG or PNG picture.',
    MESSAGE_EMPTY: 'There’s nothing to send yet.',
    MESSAGE_TOO_LONG: 'A message can be up to 10,000 characters long.',
    CARD_MISSING: 'Missing / invalid payment card details.',
    CARD_DETAILS_WRONG: 'Failed to validate provided card details, try again.',
    HONEYPOT: 'We couldn’t take this order. Please write to us on the contact page.',
    PET_NAME_MISSING: 'Pet name is required',
    PET_TYPE_MISSING: 'Pet type is required',
    PET_BREED_MISSING: 'Pet breed is required',
    PET_ISSUE_MISSING: 'Pet issue is required',
    PURCHASE_TERMS_NOT_AGREED: 'You must agree to our terms and conditions and privacy policy.',
    COUPON_CODE_MISSING: 'Code is required',
    COUPON_REFERRER_MISSING: 'Referrer is required',
    COUPON_NO_DISCOUNT: 'Amount off or percent off needs to be valid data',
    COUPON_PERCENT_NO_NUMBER: 'Percent Off must be a number',
    COUPON_AMOUNT_NO_NUMBER: 'Amount Off must be a number',
    COUPON_NUMBER_WRONG: 'Enter a whole number, or leave this empty.',
    COUPON_END_PAST: 'This day has passed. Choose a later one, or leave it empty.',
    COUPON_NEEDS_REGION: 'A coupon that takes an amount off needs a region, because currencies differ.',
    COUPON_PRICE_TOO_SMALL:
      'This would leave {price} to pay, which is less than the payment provider can charge.',
    SIGN_UP_FAILED: 'Failed to subscribe, try again.',
    MEMBERSHIP_NOT_CREATED: 'Failed to create membership. Retry filling the required fields.',
    REFUND_REASON_MISSING: 'Please give a reason for the refund.',
    REFUND_HOW_MISSING: 'Say how you paid it, for example by bank transfer.',
    NEWSLETTER_LINK_WRONG: 'This link is wrong or more than a week old. Please join again.',
    LINK_WRONG: 'This link isn’t right. Please use the one in our latest email.',
    LINK_SPENT:
      'This link has already been used or has expired. We’ve sent a new one to the email address on file.',
    CLINIC_NOT_AGREED: 'Please agree to us sending the summary of this consult to your clinic.',
    PLAN_MISSING: 'Please choose an annual or a monthly plan.',
    PET_DOB_WRONG: 'Please enter a date of birth that isn’t in the future or more than 100 years ago.',
    WRONG_MICROCHIP: 'A microchip number has 15 digits.',
    PICTURE_NOT_YOURS: 'Please choose the picture again.',
  },
  401: {
    UNAUTHORIZED: 'Unauthorized',
    SIGN_IN_FAILED:
      "Sorry, we don't recognise your details. Please check your email address and password and try again.",
    CLINIC_SIGN_IN_FAILED:
      'Sorry, we don’t recognise that username and password. Please check both and try again.',
    PLEASE_LOGIN: 'Please login',
  },
  402: {
    CARD_REFUSED: 'Your card was declined. Please try another one.',
    PAYMENT_FAILED: 'Failed to make a payment. Try again.',
    PAYMENT_NOT_CAPTURED: 'Failed to capture the payment',
    token_already_used: 'Failed to make a payment. Try again.',
  },
  403: {
    NOT_THIS_ROLE: 'Unauthorized access!',
    CONSULT_NEEDS_MEMBERSHIP: 'You need an active membership to start a consult from your account.',
    CONTENT_NOT_A_VET: 'Only a registered vet can mark this as reviewed.',
    CONSULT_OWN: 'You can’t take your own consult.',
    CONSULT_VET_UNREGISTERED: 'An admin has to enter your registration number before you can take a case.',
    CONSULT_VET_NAMELESS: 'Enter your name under Profile first. Owners see who is with them.',
    CONSULT_SAY_WHY: 'Please say why you’re opening a consult that another vet closed.',
    REGISTRATION_OWN: 'You can’t enter your own registration number. Ask another admin.',
    USER_TYPE_OWN: 'You can’t change your own role.',
    USER_TYPE_ADMIN: 'Admins are added and removed with a command on the server, not here.',
    CALL_NOT_YOURS: 'Only the vet who has this consult can call its owner.',
    HUMAN_CHECK: 'We couldn’t check that you’re a person. Please try again.',
  },
  404: {
    NOT_FOUND: 'We couldn’t find that.',
    UNKNOWN_CALL: 'There is no such call.',
    POLICY_INVALID: 'Invalid Policy Number',
    PERSON_UNKNOWN: 'There’s no account with this email.',
    COUPON_INVALID: 'Invalid coupon',
    ACCESS_NOT_VERIFIED: 'We could not verify your access to VetChat',
  },
  405: {
    METHOD_NOT_ALLOWED: 'This call only accepts GET.',
  },
  408: {
    TOO_SLOW: 'Sending took too long. Please try again.',
  },
  409: {
    FILE_PART_GONE: 'The first part of this file is gone. Please send it again.',
    CHANGED_UNDER_YOU: 'This changed while you were working on it. Please look again.',
    IDEMPOTENCY_KEY_REUSED: 'This request was already sent with different details.',
    CONSULT_CLOSED_HOURS:
      'The product is currently offline (Online between {hours}). Please call your nearest Vet.',
    CONSULT_PAID_ALREADY:
      'You’ve already paid for this consult, and it’s open. We’ve emailed you a link to it.',
    CONSULT_PAID_TWICE:
      'You’d just paid for this consult on another device, so we’re refunding this payment. We’ve emailed you a link to the consult.',
    CONSULTS_OPEN:
      'You already have {most} consults open. Go back to one of them on My account, or cancel one that you no longer need.',
    PETS_MANAGED_BY_PARTNER: 'Pets on this membership are managed by your partner.',
    MEMBERSHIP_FULL:
      'Your account can support up to 5 of your pets. Please add your 6th pet details and purchase another membership so that we can support them too.',
    PAWCARE_ENDED: 'PawCare was ended for this pet, and that can’t be undone.',
    REPLIES_FULL: 'You can have up to 100 replies. Delete one first.',
    PET_RECORD_FULL: 'This record is full. Tell the vet what’s missing when you next talk.',
    PET_IN_CONSULT: 'This pet is in a consult that is still open.',
    CLAIM_NOT_FROM_HERE:
      'Claims can’t be sent from here yet. Please send the invoice to the insurer yourself.',
    CLAIM_NOT_A_MEMBER: '{pet} isn’t on an active membership.',
    CLAIM_WRONG_SPECIES: 'PawCare is for cats and dogs.',
    CLAIM_TOO_YOUNG: 'PawCare begins when {pet} is 8 weeks old.',
    CLAIM_OPTED_OUT: '{pet} was opted out of PawCare.',
    CLAIM_WAITING: 'PawCare covers what happens once {pet} has been registered for {hours} hours.',
    CLAIM_INCIDENTS_USED:
      '{pet} has had {incidents} claims in this membership year, which is the most PawCare pays for.',
    CONTENT_NAME_TAKEN: 'This name is already taken.',
    CONTENT_PUBLISHED: '{who} published a newer version. Look at both first.',
    CONTENT_TAKEN_DOWN: '{who} took this down. Look at it first.',
    CONTENT_NO_DRAFT: 'There’s no draft to publish.',
    CONTENT_NEEDS_VET: 'A vet has to review this text first.',
    NOTE_UNFINISHED: 'The note isn’t complete yet. Still missing: {missing}.',
    NOTE_CHANGED_ELSEWHERE: 'This note was changed in your other window.',
    NOTE_SIGNED: 'This note is signed. You can add to it.',
    NOTE_NOT_SIGNED: 'This note isn’t signed yet. Edit it instead.',
    CONSULT_TAKEN: '{vet} took this case a moment before you.',
    CONSULT_NOT_WAITING: 'This consult is no longer waiting for a vet.',
    PERSON_KNOWN: 'Somebody has an account with this email. Look them up instead.',
    VET_NOT_ON_DUTY: 'This vet isn’t on duty right now.',
    RATING_TOO_EARLY: 'You can rate a consult once a vet has ended it.',
    DUTY_CASES_OPEN: 'You still have open cases. End them, or hand them over with a note for the next vet.',
    DUTY_CLINIC_WAITS:
      'You’re the last vet on duty, and nobody has taken {pet} ({clinic}) yet. Decide that case first.',
    CONSULT_ENDED: 'This consult has ended. What you wrote is still here, so you can copy it.',
    CONSULT_NOT_YOURS_TO_ANSWER: 'Take this consult before you write anything.',
    CALL_OVER: 'This call is over.',
    CALL_MOVED: 'This call was opened on another device.',
    CALL_ELSEWHERE: 'You’re in a call about {pet}. Leave it before you start another.',
    CONSULT_FILES_FULL: 'You’ve reached the file limit for this consult. You can still send messages.',
    CONSULT_MESSAGES_FULL:
      'You’ve reached the message limit for this consult. Your vet can still write to you here.',
    CONSULT_STILL_OPEN: 'A consult is still open. You can delete your account once it has ended.',
    PAYMENTS_OFF: 'We’re not taking payments right now, so nothing was charged. Please try again later.',
    price_changed: 'The price is now {price}. Nothing was charged. Please check it and confirm again.',
    NOBODY_ON_DUTY:
      'No vet is on duty right now, so we’re not taking payments. Please call your nearest vet.',
    PURCHASE_DIFFERS: 'This doesn’t match what was paid for.',
    COUPON_CODE_TAKEN: 'Code already exists.',
    OFFER_NOT_HERE:
      'This offer is for once-off consults that were paid for, weren’t refunded and have ended.',
    EMAIL_HAS_ACCOUNT: 'This email already has an account. Sign in to continue.',
    ALREADY_A_MEMBER: 'You already have an active membership. You can manage it on My account.',
    REFUND_NOTHING_LEFT: 'There’s nothing left to refund on this payment.',
    REFUND_TOO_MUCH: 'Only {left} of this payment can still be refunded.',
    CHECK_IN_CLOSED: 'There’s no check-in to answer for this consult.',
    REOPEN_NOT_ENDED: 'Only a consult that a vet has ended can be reopened.',
    REOPEN_ONCE: 'This consult already follows on from an earlier one. Please start a new one.',
    REOPEN_TOO_LATE: 'This consult ended more than two days ago. Please start a new one.',
    ADVICE_NOT_YET: 'The vet hasn’t written the plan yet.',
    CLINIC_HAS_IT: 'The clinic already has the summary of this consult.',
    SUBSCRIPTION_UPDATE_FAILED: 'Failed to update subscription. Please refresh page and retry.',
    SUBSCRIPTION_MANAGED_BY_PARTNER: 'This membership is managed by your partner.',
    SUBSCRIPTION_DISPUTED:
      'Your bank took back a payment for this membership, so it can’t be restarted. If you didn’t mean to dispute it, please tell your bank.',
  },
  413: {
    BODY_TOO_LARGE: 'That is too large to send.',
    CLAIM_INVOICE_TOO_LARGE: 'The invoice can be up to 10 MB.',
    CHAT_PICTURE_TOO_LARGE: 'A picture can be up to 16 MB.',
    CHAT_PDF_TOO_LARGE: 'A PDF can be up to 10 MB.',
    CHAT_VIDEO_TOO_LARGE: 'A video can be up to 50 MB.',
    VIDEO_TOO_LONG: 'A video can be up to 60 seconds long.',
    PICTURE_TOO_LARGE: 'Error : Exceeded size 16MB',
  },
  415: {
    WRONG_CONTENT_TYPE: 'We can’t read this kind of content.',
    CLAIM_INVOICE_WRONG_TYPE: 'Please send the invoice as a PDF, JPEG or PNG. A screenshot works too.',
    FILE_WRONG_TYPE:
      'You can send pictures, short videos or PDFs. If this is one, save it again and send the new file, or a screenshot of it.',
    PHOTO_WRONG_TYPE:
      'Photos must be JPEG or PNG files. Choose another one, or send a screenshot of this one.',
    VIDEO_WITHOUT_LENGTH:
      'We can’t tell how long this video is. Please send one recorded with your phone’s camera, or a photo.',
    PICTURE_WRONG_TYPE: 'Error : Incorrect file type',
  },
  429: {
    TOO_MANY_TRIES: 'Too many tries. Please wait {minutes} minutes and try again.',
    TOO_MANY_FREE:
      'This coupon has been used too many times in the last hour. Remove it and pay, or wait {minutes} minutes and try again.',
    TOO_MANY_CALLED:
      'You’ve called contacts too many times in the last hour. Phone them yourself, or wait {minutes} minutes and try again.',
    FILES_FULL_TODAY: 'You’ve sent as many files as you can in one day. Please try again tomorrow.',
    CARD_CANCELLED_OFTEN:
      'Too many consults paid with this card were cancelled today, so we didn’t charge it. Please use another card, or contact us.',
  },
  500: {
    UNEXPECTED: 'An Error Occurred',
  },
  503: {
    UNAVAILABLE: 'We can’t reach our records at the moment. Please try again in a minute.',
    UPLOADS_FULL: 'We can’t take files at the moment. Please try again later. Messages still work.',
    FILES_AWAY: 'We can’t take files at the moment. Please try again in a minute. Messages still work.',
    STORAGE_FULL: 'We can’t save anything at the moment. Please try again in a few minutes.',
    PAYMENTS_OUT_OF_REACH: 'We couldn’t reach the payment provider. Please try again in a moment.',
    ACCESS_NOT_CHECKED: 'Failed to verify your access to VetChat',
  },
} as const

type All = typeof SENTENCES & typeof STAFF_SENTENCES
export type ErrorCode = { [Status in keyof All]: keyof All[Status] }[keyof All]
type Sentence<Code> = {
  [Status in keyof All]: Code extends keyof All[Status] ? All[Status][Code] : never
}[keyof All]
type ByCode = { [Code in ErrorCode]: { status: number; message: Sentence<Code> } }

/* @__NO_SIDE_EFFECTS__ */
function byCode(...parts: Record<number, Record<string, string>>[]) {
  const entries = parts
    .flatMap((part) => Object.entries(part))
    .flatMap(([status, sentences]) =>
      Object.entries(sentences).map(([code, message]) => [code, { status: Number(status), message }]),
    )
  return Object.fromEntries(entries) as ByCode
}
export const ERRORS = byCode(SENTENCES, STAFF_SENTENCES)

/** The sentence of a code, for a schema's or a form's own message. */
export const sentenceOf = <Code extends ErrorCode>(code: Code): Sentence<Code> => ERRORS[code].message

export interface Details {
  /** What the sentence's placeholders are filled with. */
  values?: Record<string, string | number>
  /** Messages for fields, by the field's name. */
  fields?: Record<string, string>
  /** All messages, where there is more than one. */
  errors?: string[]
  /** Seconds after which another attempt makes sense. */
  retryAfter?: number
  /** More for a program to read, such as the right price. */
  body?: Record<string, unknown>
}

export class Failure extends Error {
  override name = 'Failure'
  readonly code: ErrorCode
  readonly details: Details
  constructor(code: ErrorCode, details: Details = {}) {
    super(
      (sentenceOf(code) as string).replace(/\{(\w+)\}/g, (_, name: string) =>
        String(details.values?.[name] ?? ''),
      ),
    )
    this.code = code
    this.details = details
  }
}

/** Recognised by name, because the built pages have their own copy of this class. */
export const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && error.name === 'Failure'

export function fail(code: ErrorCode, details?: Details): never {
  throw new Failure(code, details)
}

/** Also shows the sentence beside the field. */
export function failAt(field: string, code: ErrorCode): never {
  fail(code, { fields: { [field]: sentenceOf(code) } })
}
