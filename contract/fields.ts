import * as z from 'zod'
import * as lengths from './lengths.ts'
import { sentenceOf } from './errors.ts'
import { CURRENCY_IDS } from './regions.ts'

/* The predicates here and beside other fields work without a schema, so that forms and schemas can share them. */

/** PostgreSQL can't store NUL in text. */
const clean = z.refine<string>((text) => !text.includes('\0'), { error: sentenceOf('INVALID_INPUT') })

const INVISIBLE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u

/** Required text. For text that nobody composes, such as a code, pass the same message for too long as for missing. */
export const text = (
  max: number,
  missing: string = sentenceOf('INVALID_INPUT'),
  tooLong: string = sentenceOf('TEXT_TOO_LONG'),
) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, { error: missing, abort: true })
    .max(max, { error: tooLong })
    .check(clean)
    .refine((typed) => !INVISIBLE.test(typed), { error: missing })

/**
 * A name on one line. Characters that nobody sees, or that turn the text around them, are left out; only the two that
 * join letters and emoji stay.
 */
const asName = (typed: string) =>
  typed
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

export const typedName = (missing: string, max = lengths.name) =>
  z.string({ error: missing }).overwrite(asName).pipe(text(max, missing))

export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, { error: sentenceOf('TEXT_TOO_LONG') })
    .check(clean)

/** A text in an update: left out, it stays as it is; null is read as an empty text, which is refused if it's required. */
export const changed = <T extends z.ZodType>(schema: T) =>
  z.preprocess((sent: z.input<T> | null) => (sent === null ? '' : sent), schema).optional()

/** One of a table's keys. */
export const keyOf = <Key extends string>(table: Record<Key, unknown>, error?: string) =>
  z.enum(Object.keys(table) as Key[], { error })

export const changedText = (max: number) => changed(optionalText(max))

/** A code as a person may type it: case, spaces and hyphens don't matter. */
export const typedCode = (max: number, missing: string, wrong: string) =>
  z
    .string({ error: missing })
    .max(max, { error: wrong })
    .transform((code: string) => code.replace(/[\s-]/g, '').toUpperCase())
    .pipe(z.string().min(1, { error: missing }).check(clean))

/** Forms send an empty field as an empty string. */
export const emptyAsNull = <T extends z.ZodType>(schema: T) =>
  z.preprocess((sent: z.input<T> | '' | null) => (sent === '' ? null : sent), schema.nullable())

/** PostgreSQL's largest integer. Ids, counts and amounts stay within it. */
export const LARGEST_INTEGER = 2_147_483_647

/** A whole number, or its digits in a string. */
export const whole = (
  least: number,
  most: number = LARGEST_INTEGER,
  error: string = sentenceOf('INVALID_INPUT'),
) =>
  z
    .union([z.number(), z.string().regex(/^\d{1,10}$/, { error })], { error })
    .transform(Number)
    .pipe(z.int({ error }).min(least, { error }).max(most, { error }))

export const idOf = (error: string, most?: number) => whole(1, most, error)
export const id = whole(1)

/** A species' id, which is stored in two bytes. */
export const speciesOf = (error: string = sentenceOf('INVALID_INPUT')) => idOf(error, 32_767)

const EMAIL = /^([\w'+-]+\.)*[\w'+-]*[\w+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/
export const isEmail = (typed: string) => EMAIL.test(typed.trim()) && typed.trim().length <= lengths.email

/** Emails are compared without case and surrounding spaces, so they are stored that way. */
export const email = z
  .string({ error: sentenceOf('EMAIL_MISSING') })
  .trim()
  .toLowerCase()
  .min(1, { error: sentenceOf('EMAIL_MISSING'), abort: true })
  .max(lengths.email, { error: sentenceOf('INVALID_EMAIL') })
  .check(z.email({ pattern: EMAIL, error: sentenceOf('INVALID_EMAIL') }))

/** The rules for a new password one by one: the page ticks them off, and a password has to meet them all. */
export const PASSWORD_RULES = [
  { says: 'at least 8 characters', met: (password: string) => password.length >= 8 },
  { says: 'a lowercase letter', met: (password: string) => /[a-z]/.test(password) },
  { says: 'an uppercase letter', met: (password: string) => /[A-Z]/.test(password) },
  { says: 'a number', met: (password: string) => /[0-9]/.test(password) },
]

export const isStrongPassword = (password: string) => PASSWORD_RULES.every(({ met }) => met(password))

export const newPassword = z
  .string({ error: sentenceOf('PASSWORD_MISSING') })
  .max(lengths.password, { error: sentenceOf('PASSWORD_TOO_LONG') })
  .refine(isStrongPassword, { error: sentenceOf('WEAK_PASSWORD') })

export const currentPassword = z
  .string({ error: sentenceOf('PASSWORD_MISSING') })
  .min(1, { error: sentenceOf('PASSWORD_MISSING') })
  .max(1000)

/** A file that a form sends: a Blob in the browser, an Upload once the server has read all of it. */
export interface Blob {
  readonly size: number
  readonly type: string
}
/** A file on the server's disk. It is a class so that an object in a body can't pass for one. */
export class Upload {
  readonly path: string
  readonly size: number
  readonly filename: string
  /** The file was larger than the call's limit. */
  readonly truncated: boolean
  /** Why the rest of the file never arrived. */
  readonly brokeOff: Error | undefined
  constructor({ path, size, filename, truncated, brokeOff }: Upload) {
    this.path = path
    this.size = size
    this.filename = filename
    this.truncated = truncated
    this.brokeOff = brokeOff
  }
}
export const file: z.ZodType<Upload, Blob> = z.custom<any>(
  (value) =>
    value instanceof Upload || /^\[object (Blob|File)\]$/.test(Object.prototype.toString.call(value)),
)

/** A time that a caller sends. */
export const sentTime = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/)
/** A time in an answer, which the server gives as it has it. */
export const isoTime = z.preprocess(
  (time: Date | string) => (time instanceof Date ? time.toISOString() : time),
  sentTime,
)

const DAY = /^[12]\d{3}-\d\d-\d\d$/
/** A real day: not 30 February, and not in a year such as 0 or 9999, which has no day before or after. */
export const isDay = (text: string) =>
  DAY.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
export const isoDate = z
  .string()
  .regex(DAY)
  .refine(isDay, { error: sentenceOf('INVALID_INPUT') })
export const currency = z.enum(CURRENCY_IDS)
export const nothing = z.object({})

/** Whether a person agreed, and to which version of the terms. */
export const agreement = { agreed: z.boolean().optional(), terms: z.string().max(40).optional() }
