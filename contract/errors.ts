import { STAFF_ERRORS } from './staff-errors.ts'

/**
 * Every failure the product can show: its code, its status and the sentence a person reads.
 * `{name}` in a sentence is filled from the values passed to fail().
 */
export const ERRORS = {
  ...STAFF_ERRORS,
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  NOT_THIS_ROLE: { status: 403, message: 'Unauthorized access!' },
  NOT_FOUND: { status: 404, message: 'We couldn’t find that.' },
  UNKNOWN_CALL: { status: 404, message: 'There is no such call.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This call can only be made by GET.' },
  INVALID_INPUT: { status: 400, message: 'Please check what you entered and try again.' },
  TEXT_TOO_LONG: { status: 400, message: 'This is too long. Please shorten it.' },
  MALFORMED: { status: 400, message: 'We couldn’t read what was sent. Please try again.' },
  BODY_TOO_LARGE: { status: 413, message: 'That is too large to send.' },
  WRONG_CONTENT_TYPE: { status: 415, message: 'We can’t read this kind of content.' },
  TOO_MANY_TRIES: { status: 429, message: 'Too many tries. Please wait {minutes} minutes and try again.' },
  TOO_MANY_FREE: {
    status: 429,
    message:
      'This coupon was used many times in the last hour. Remove it and pay, or wait {minutes} minutes and try again.',
  },
  TOO_MANY_CALLED: {
    status: 429,
    message:
      'You called contacts many times in the last hour. Ring them yourself, or wait {minutes} minutes and try again.',
  },
  WRONG_REGION: { status: 400, message: 'This address serves {expected}.' },
  CHANGED_UNDER_YOU: {
    status: 409,
    message: 'This changed while you were working on it. Please look again.',
  },
  IDEMPOTENCY_KEY_REUSED: { status: 409, message: 'This request was already sent with different details.' },
  INVALID_IDEMPOTENCY_KEY: {
    status: 400,
    message: 'The Idempotency-Key must be 1 to 100 letters, digits, - or _.',
  },
  UNAVAILABLE: {
    status: 503,
    message: 'We can’t reach our records at the moment. Please try again in a minute.',
  },
  TOO_SLOW: { status: 408, message: 'Sending took too long. Please try again.' },
  CONSULT_TERMS_NOT_AGREED: {
    status: 400,
    message: 'You must agree to our terms and conditions and privacy policy to start a consultation.',
  },
  CONSULT_DETAILS_MISSING: {
    status: 400,
    message: 'Insufficient information provided for creating consultation.',
  },
  CONSULT_NEEDS_MEMBERSHIP: {
    status: 403,
    message: 'You need an active membership to start a consult from your account.',
  },
  CONSULT_CLOSED_HOURS: {
    status: 409,
    message: 'The product is currently offline (Online between {hours}). Please call your nearest Vet.',
  },
  CONSULT_PAID_ALREADY: {
    status: 409,
    message: 'You’ve already paid for this consult, and it’s open. We’ve emailed you a link to it.',
  },
  CONSULTS_OPEN: {
    status: 409,
    message:
      'You already have {most} consults open. Go back to one of them on My account, or cancel one that you no longer need.',
  },

  UNEXPECTED: { status: 500, message: 'An Error Occurred' },

  SIGN_IN_FAILED: {
    status: 401,
    message:
      "Sorry, we don't recognise your details. Please check your email address and password and try again.",
  },
  CLINIC_SIGN_IN_EMPTY: { status: 400, message: 'Username or password field is empty.' },
  CLINIC_SIGN_IN_FAILED: {
    status: 401,
    message: 'Sorry, we don’t recognise that username and password. Please check both and try again.',
  },
  CURRENT_PASSWORD_MISSING: { status: 400, message: 'Enter your current password.' },
  NEW_PASSWORD_MISSING: { status: 400, message: 'Enter a new password.' },
  DATES_WRONG: { status: 400, message: 'Choose two dates, the earlier one first, at most two years apart.' },
  INVALID_EMAIL: { status: 400, message: 'Invalid Email address' },
  CONTACT_REASON_MISSING: { status: 400, message: 'The reason for contact is empty.' },
  CONTACT_NAME_MISSING: { status: 400, message: 'Name is empty' },
  CONTACT_EMAIL_INVALID: { status: 400, message: 'Email is invalid' },
  CONTACT_CLINIC_MISSING: { status: 400, message: 'Veterinary clinic or company is empty' },
  CONTACT_BODY_MISSING: { status: 400, message: 'Message is empty' },
  EMAIL_MISSING: { status: 400, message: 'Email is empty' },
  PASSWORD_MISSING: { status: 400, message: 'Password is required' },
  WEAK_PASSWORD: {
    status: 400,
    message:
      'Password must contain: at least 8 characters, at least one lowercase letter (a-z), at least one uppercase letter (A-Z), at least one number (0-9)',
  },
  PASSWORD_INVALID: { status: 400, message: 'Invalid Password.' },
  PASSWORD_NOT_CONFIRMED: { status: 400, message: 'Confirm password is required' },
  PASSWORDS_DIFFER: { status: 400, message: 'Passwords do not match' },
  PASSWORD_TOO_LONG: { status: 400, message: 'A password can be up to 200 characters long.' },
  RESET_CODE_MISSING: { status: 400, message: 'Please enter the code from the email.' },
  RESET_CODE_WRONG: {
    status: 400,
    message: 'This code is wrong, already used or more than 30 minutes old. Please ask for a new one.',
  },
  CLAIM_LINK_WRONG: {
    status: 400,
    message:
      'This link is wrong, already used or more than 48 hours old. Ask for a new one under Forgot your password.',
  },
  PET_DETAILS_MISSING: { status: 400, message: 'Missing pet details.' },
  PET_TERMS_NOT_AGREED: {
    status: 400,
    message: 'You must agree to terms and conditions in order to proceed.',
  },
  PETS_MANAGED_BY_PARTNER: { status: 409, message: 'Pets on this membership are managed by your partner.' },
  PET_NEEDS_PAYMENT_METHOD: {
    status: 400,
    message: 'You need to add payment method to your profile before adding pet.',
  },
  MEMBERSHIP_FULL: {
    status: 409,
    message:
      'Your account can support up to 5 of your pets. Please add your 6th pet details and purchase another membership so that we can support them too.',
  },
  PAWCARE_ENDED: { status: 409, message: 'PawCare was ended for this pet, and that can’t be undone.' },
  REPLIES_FULL: { status: 409, message: 'You have 100 replies, which is the most. Delete one first.' },
  PET_RECORD_FULL: {
    status: 409,
    message: 'This record is full. Tell the vet what’s missing when you next talk.',
  },
  WEIGHT_DATE_WRONG: { status: 400, message: 'Choose a day that isn’t in the future.' },
  PET_IN_CONSULT: { status: 409, message: 'This pet is in a consult that is still open.' },
  CARE_DATE_WRONG: { status: 400, message: 'Please enter a date that isn’t in the future.' },
  POLICY_INVALID: { status: 404, message: 'Invalid Policy Number' },
  POLICY_CODE_WRONG: {
    status: 400,
    message: 'This code is wrong, already used or more than 48 hours old. Please ask for a new one.',
  },
  CLAIM_NOT_FROM_HERE: {
    status: 409,
    message: 'Claims can’t be sent from here yet. Please send the invoice to the insurer yourself.',
  },
  CLAIM_DETAILS_MISSING: {
    status: 400,
    message: 'Please fill in the pet, what happened, the day, the amount and the invoice.',
  },
  CLAIM_DATE_WRONG: { status: 400, message: 'Please enter the day it happened, today or earlier.' },
  CLAIM_AMOUNT_WRONG: { status: 400, message: 'Please enter the amount of the invoice.' },
  CLAIM_INVOICE_WRONG_TYPE: {
    status: 415,
    message: 'Please send the invoice as a PDF, JPEG or PNG.',
  },
  CLAIM_INVOICE_TOO_LARGE: { status: 413, message: 'The invoice can be up to 10 MB.' },
  CLAIM_NOT_A_MEMBER: { status: 409, message: '{pet} isn’t on an active membership.' },
  CLAIM_WRONG_SPECIES: { status: 409, message: 'PawCare is for cats and dogs.' },
  CLAIM_TOO_YOUNG: { status: 409, message: 'PawCare begins when {pet} is 8 weeks old.' },
  CLAIM_OPTED_OUT: { status: 409, message: '{pet} was opted out of PawCare.' },
  CLAIM_WAITING: {
    status: 409,
    message: 'PawCare covers what happens once {pet} has been registered for {hours} hours.',
  },
  CLAIM_INCIDENTS_USED: {
    status: 409,
    message: '{pet} has had {incidents} claims in this membership year, which is the most PawCare pays for.',
  },

  USER_UPDATE_FAILED: { status: 400, message: 'Failed to update user detail' },
  PASSWORD_UPDATE_FAILED: { status: 400, message: 'Failed to update password' },
  FIRST_NAME_MISSING: { status: 400, message: 'First name can not be empty' },
  LAST_NAME_MISSING: { status: 400, message: 'Last name can not be empty' },
  PHONE_MISSING: { status: 400, message: 'Phone can not be empty' },
  PHONE_TOO_SHORT: { status: 400, message: 'This number has too few digits' },
  PHONE_TOO_LONG: { status: 400, message: 'This number has too many digits' },
  PHONE_WRONG: { status: 400, message: 'This number can’t be called' },
  CURRENT_PASSWORD_WRONG: { status: 400, message: 'Your current password isn’t right.' },
  EMAIL_LINK_WRONG: {
    status: 400,
    message:
      'This link is wrong, already used or more than 48 hours old. Change your email again in your profile.',
  },
  OUTCOME_MISSING: { status: 400, message: 'Please choose how the consult ended.' },
  SUMMARY_MISSING: { status: 400, message: 'Please write what the owner should know.' },
  CONTENT_MISSING: { status: 400, message: 'Fill this in first.' },
  CONTENT_ADDRESS_WRONG: { status: 400, message: 'Begin it with https://, or with / for our own page.' },
  CONTENT_DATE_WRONG: { status: 400, message: 'Write the date as 2026-11-30.' },
  CONTENT_PLACE_UNKNOWN: {
    status: 400,
    message: 'We don’t know some of the words in braces. Check how they’re spelled.',
  },
  CONTENT_HOURS_WRONG: { status: 400, message: 'Write “18:00-08:00”, “all day” or “closed”.' },
  CONTENT_ZONE_WRONG: { status: 400, message: 'Choose a time zone in the clinic’s country.' },
  CONTENT_PHONE_WRONG: { status: 400, message: 'Write the number that people dial, such as 021 555 0142.' },
  CONTENT_NAME_TAKEN: { status: 409, message: 'Something else has this name already.' },
  CONTENT_PUBLISHED: { status: 409, message: '{who} published a newer version. Look at both first.' },
  CONTENT_TAKEN_DOWN: { status: 409, message: '{who} took this down. Look at it first.' },
  CONTENT_NO_DRAFT: { status: 409, message: 'There’s no draft to publish.' },
  CONTENT_NEEDS_VET: { status: 409, message: 'A vet has to review these words first.' },
  CONTENT_NOT_A_VET: { status: 403, message: 'Only a registered vet can mark this as reviewed.' },
  NOTE_UNFINISHED: { status: 409, message: 'The note isn’t complete yet. Still missing: {missing}.' },
  NOTE_CHANGED_ELSEWHERE: { status: 409, message: 'This note was changed in your other window.' },
  NOTE_SIGNED: { status: 409, message: 'This note is signed. You can add to it.' },
  NOTE_NOT_SIGNED: { status: 409, message: 'This note isn’t signed yet. Edit it instead.' },
  CONSULT_TAKEN: { status: 409, message: '{vet} took this case a moment before you.' },
  CONSULT_NOT_WAITING: { status: 409, message: 'This consult is no longer waiting for a vet.' },
  CONSULT_OWN: { status: 403, message: 'You can’t take your own consult.' },
  CONSULT_VET_UNREGISTERED: {
    status: 403,
    message: 'An admin has to enter your registration number before you can take a case.',
  },
  CONSULT_VET_NAMELESS: {
    status: 403,
    message: 'Enter your name under Profile first. Owners see who is with them.',
  },
  CONSULT_SAY_WHY: {
    status: 403,
    message: 'Please say why you’re opening a consult that another vet closed.',
  },
  REGISTRATION_MISSING: { status: 400, message: 'Enter the vet’s registration number first.' },
  REGISTRATION_OWN: {
    status: 403,
    message: 'You can’t enter your own registration number. Ask another admin.',
  },
  USER_TYPE_WRONG: { status: 400, message: 'A person can be made a vet or an owner here.' },
  USER_TYPE_OWN: { status: 403, message: 'You can’t change your own type.' },
  USER_TYPE_ADMIN: {
    status: 403,
    message: 'Admins are made and unmade with a command on the server, not here.',
  },
  RESOURCE_TITLE_MISSING: { status: 400, message: 'Title is required' },
  RESOURCE_TYPE_MISSING: { status: 400, message: 'Type is required' },
  RESOURCE_FILE_WRONG: {
    status: 400,
    message: 'Choose a PDF, a picture or a short video, or give the address of a YouTube or Vimeo player.',
  },
  RESOURCE_PICTURE_WRONG: { status: 400, message: 'Choose a JPEG or PNG picture.' },
  PERSON_KNOWN: { status: 409, message: 'Somebody has an account with this email. Look them up instead.' },
  PERSON_UNKNOWN: { status: 404, message: 'Nobody has an account with this email.' },
  VET_NOT_ON_DUTY: { status: 409, message: 'This vet isn’t on duty right now.' },
  RATING_TOO_EARLY: { status: 409, message: 'You can rate a consult once a vet has ended it.' },
  DUTY_CASES_OPEN: {
    status: 409,
    message: 'You still have open cases. End them, or hand them over with a note for the next vet.',
  },
  CONSULT_ENDED: {
    status: 409,
    message: 'This consult has ended. What you wrote is still here, so you can copy it.',
  },
  CONSULT_NOT_YOURS_TO_ANSWER: { status: 409, message: 'Take this consult before you write anything.' },
  CALL_NOT_YOURS: { status: 403, message: 'Only the vet who has this consult can call its owner.' },
  CALL_OVER: { status: 409, message: 'This call is over.' },
  CALL_MOVED: { status: 409, message: 'This call was opened on another device.' },
  CALL_ELSEWHERE: {
    status: 409,
    message: 'You’re in a call about {pet}. Leave it before you start another.',
  },
  FILE_WRONG_TYPE: {
    status: 415,
    message:
      'You can send pictures, short videos or PDFs. If this is one, save it again and send the new file.',
  },
  PHOTO_WRONG_TYPE: { status: 415, message: 'Photos must be JPEG or PNG files. Choose another one.' },
  CHAT_PICTURE_TOO_LARGE: { status: 413, message: 'A picture can be up to 16 MB.' },
  CHAT_PDF_TOO_LARGE: { status: 413, message: 'A PDF can be up to 10 MB.' },
  CHAT_VIDEO_TOO_LARGE: { status: 413, message: 'A video can be up to 50 MB.' },
  VIDEO_TOO_LONG: { status: 413, message: 'A video can be up to 60 seconds long.' },
  VIDEO_WITHOUT_LENGTH: {
    status: 415,
    message:
      'We can’t tell how long this video is. Please send one recorded with your phone’s camera, or a photo.',
  },
  CONSULT_FILES_FULL: {
    status: 409,
    message: 'This consult holds as many files as it can. You can still send messages.',
  },
  CONSULT_MESSAGES_FULL: {
    status: 409,
    message: 'This consult holds as many messages as it can. Your vet can still write to you here.',
  },
  FILES_FULL_TODAY: {
    status: 429,
    message: 'You’ve sent as many files as you can in one day. Please try again tomorrow.',
  },
  UPLOADS_FULL: {
    status: 503,
    message: 'We can’t take files at the moment. Please try again later. Messages still work.',
  },
  FILES_AWAY: {
    status: 503,
    message: 'We can’t take files at the moment. Please try again in a minute. Messages still work.',
  },
  STORAGE_FULL: {
    status: 503,
    message: 'We can’t save anything at the moment. Please try again in a few minutes.',
  },
  MESSAGE_EMPTY: { status: 400, message: 'There’s nothing to send yet.' },
  MESSAGE_TOO_LONG: { status: 400, message: 'A message can be up to 10,000 characters long.' },
  CONSULT_STILL_OPEN: {
    status: 409,
    message: 'A consult is still open. You can delete your account once it has ended.',
  },

  CARD_MISSING: { status: 400, message: 'Missing / invalid payment card details.' },
  CARD_DETAILS_WRONG: {
    status: 400,
    message: 'Failed to validate provided card details, try again.',
  },
  CARD_CANCELLED_OFTEN: {
    status: 429,
    message:
      'Many consults paid with this card were cancelled today, so we didn’t charge it. Please use another card, or contact us.',
  },
  CARD_REFUSED: { status: 402, message: 'Your card was declined. Please try another one.' },
  PAYMENT_FAILED: { status: 402, message: 'Failed to make a payment. Try again.' },
  PAYMENTS_OUT_OF_REACH: {
    status: 503,
    message: 'We couldn’t reach the payment provider. Please try again in a moment.',
  },
  PAYMENTS_OFF: {
    status: 409,
    message: 'We’re not taking payments right now, so nothing was charged. Please try again later.',
  },
  PAYMENT_NOT_CAPTURED: { status: 402, message: 'Failed to capture the payment' },
  token_already_used: { status: 402, message: 'Failed to make a payment. Try again.' },
  price_changed: {
    status: 409,
    message: 'The price is now {price}. Nothing was charged. Please check it and confirm again.',
  },
  HONEYPOT: { status: 400, message: 'We couldn’t take this order. Please write to us on the contact page.' },
  HUMAN_CHECK: {
    status: 403,
    message: 'We couldn’t check that you’re a person. Please try again.',
  },
  NOBODY_ON_DUTY: {
    status: 409,
    message: 'No vet is on duty right now, so we’re not taking payments. Please call your nearest vet.',
  },
  PET_NAME_MISSING: { status: 400, message: 'Pet name is required' },
  PET_TYPE_MISSING: { status: 400, message: 'Pet type is required' },
  PET_BREED_MISSING: { status: 400, message: 'Pet breed is required' },
  PET_ISSUE_MISSING: { status: 400, message: 'Pet issue is required' },
  PURCHASE_TERMS_NOT_AGREED: {
    status: 400,
    message: 'You must agree to our terms and conditions and privacy policy.',
  },
  PURCHASE_DIFFERS: { status: 409, message: 'This doesn’t match what was paid for.' },
  COUPON_INVALID: { status: 404, message: 'Invalid coupon' },
  COUPON_CODE_MISSING: { status: 400, message: 'Code is required' },
  COUPON_CODE_TAKEN: { status: 409, message: 'Code already exists.' },
  COUPON_REFERRER_MISSING: { status: 400, message: 'Referrer is required' },
  COUPON_NO_DISCOUNT: { status: 400, message: 'Amount off or percent off needs to be valid data' },
  COUPON_PERCENT_NO_NUMBER: { status: 400, message: 'Percent Off must be a number' },
  COUPON_AMOUNT_NO_NUMBER: { status: 400, message: 'Amount Off must be a number' },
  COUPON_NEEDS_REGION: {
    status: 400,
    message: 'A coupon that takes an amount off needs a region, because currencies differ.',
  },
  COUPON_PRICE_TOO_SMALL: {
    status: 400,
    message: 'This would leave {price} to pay, which is less than the payment provider can charge.',
  },
  OFFER_NOT_HERE: {
    status: 409,
    message: 'This offer is for once-off consults that were paid for, weren’t refunded and have ended.',
  },
  EMAIL_HAS_ACCOUNT: { status: 409, message: 'This email already has an account. Sign in to go on.' },
  ALREADY_A_MEMBER: {
    status: 409,
    message: 'You already have an active membership. You can manage it on My account.',
  },
  ACCESS_NOT_CHECKED: { status: 503, message: 'Failed to verify your access to VetChat' },
  ACCESS_NOT_VERIFIED: { status: 404, message: 'We could not verify your access to VetChat' },
  SIGN_UP_FAILED: { status: 400, message: 'Failed to subscribe, try again.' },
  MEMBERSHIP_NOT_CREATED: {
    status: 400,
    message: 'Failed to create membership. Retry filling the required fields.',
  },
  REFUND_REASON_MISSING: { status: 400, message: 'Please give a reason for the refund.' },
  REFUND_HOW_MISSING: { status: 400, message: 'Say how you paid it, for example by bank transfer.' },
  REFUND_NOTHING_LEFT: { status: 409, message: 'Nothing of this payment is left to refund.' },
  REFUND_TOO_MUCH: { status: 409, message: 'Only {left} of this payment is left to refund.' },
  NEWSLETTER_LINK_WRONG: {
    status: 400,
    message: 'This link is wrong or more than a week old. Please join again.',
  },
  LINK_WRONG: { status: 400, message: 'This link isn’t right. Please use the one in our latest email.' },
  LINK_SPENT: {
    status: 400,
    message:
      'This link has already been used or has expired. We’ve sent a new one to the email address on file.',
  },
  CHECK_IN_CLOSED: { status: 409, message: 'There’s no check-in to answer for this consult.' },
  REOPEN_NOT_ENDED: { status: 409, message: 'Only a consult that a vet has ended can be reopened.' },
  REOPEN_ONCE: {
    status: 409,
    message: 'This consult already follows on from an earlier one. Please start a new one.',
  },
  REOPEN_TOO_LATE: {
    status: 409,
    message: 'This consult ended more than two days ago. Please start a new one.',
  },
  ADVICE_NOT_YET: { status: 409, message: 'The vet hasn’t written the plan yet.' },
  CLINIC_NOT_AGREED: {
    status: 400,
    message: 'Please agree to us sending the summary of this consult to your clinic.',
  },
  CLINIC_HAS_IT: { status: 409, message: 'The clinic already has the summary of this consult.' },
  PLAN_MISSING: { status: 400, message: 'Please choose an annual or a monthly plan.' },
  SUBSCRIPTION_UPDATE_FAILED: {
    status: 409,
    message: 'Failed to update subscription. Please refresh page and retry.',
  },
  SUBSCRIPTION_MANAGED_BY_PARTNER: {
    status: 409,
    message: 'This membership is managed by your partner.',
  },

  PET_DOB_WRONG: {
    status: 400,
    message: 'Please enter a date of birth that isn’t in the future or more than 100 years ago.',
  },
  WRONG_MICROCHIP: { status: 400, message: 'A microchip number has 15 digits.' },
  PICTURE_WRONG_TYPE: { status: 415, message: 'Error : Incorrect file type' },
  PICTURE_TOO_LARGE: { status: 413, message: 'Error : Exceeded size 16MB' },
  PICTURE_NOT_YOURS: { status: 400, message: 'Please choose the picture again.' },

  PLEASE_LOGIN: { status: 401, message: 'Please login' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS

/** The sentence of a code, for a schema's or a form's own message. */
export const words = <Code extends ErrorCode>(code: Code): (typeof ERRORS)[Code]['message'] =>
  ERRORS[code].message

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
      (words(code) as string).replace(/\{(\w+)\}/g, (_, name: string) =>
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
  fail(code, { fields: { [field]: words(code) } })
}
