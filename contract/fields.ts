import * as z from 'zod/mini'
import { words } from './errors.ts'

/** Fields that several slices share. Text never holds NUL, which PostgreSQL can not store. */
const clean = z.refine<string>((text) => !text.includes('\0'), { error: words('INVALID_INPUT') })

const atMost = (max: number) => words('TEXT_TOO_LONG').replace('{max}', max.toLocaleString('en'))

/** What somebody writes. Of what nobody writes, such as a code, it is as wrong to be too long as to be missing. */
export const text = (max: number, missing = words('INVALID_INPUT'), tooLong = atMost(max)) =>
  z
    .string({ error: missing })
    .check(z.trim(), z.minLength(1, { error: missing }), z.maxLength(max, { error: tooLong }), clean)

export const optionalText = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max, { error: atMost(max) }), clean)

/** Numbers arrive as numbers or as digits in strings; ids fit PostgreSQL's integer. */
export const idOf = (error: string) =>
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^\d{1,10}$/, { error }))], { error }),
    z.pipe(
      z.transform(Number),
      z.int({ error }).check(z.minimum(1, { error }), z.maximum(2_147_483_647, { error })),
    ),
  )
export const id = idOf(words('INVALID_INPUT'))

/** A whole number, or its digits in a string. */
export const whole = (least: number, most = 2_147_483_647) =>
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^\d{1,10}$/))]),
    z.pipe(z.transform(Number), z.int().check(z.minimum(least), z.maximum(most))),
  )

/** Compared without case and outer spaces, so it is stored that way. */
export const email = z
  .string({ error: words('EMAIL_MISSING') })
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, { error: words('EMAIL_MISSING'), abort: true }),
    z.maxLength(254, { error: words('INVALID_EMAIL') }),
    z.email({ error: words('INVALID_EMAIL') }),
  )

/** The rules of a new password one by one, for the page that ticks them off and for the check below. */
export const PASSWORD_RULES = [
  { says: 'at least 8 characters', met: (password: string) => password.length >= 8 },
  { says: 'a lowercase letter', met: (password: string) => /[a-z]/.test(password) },
  { says: 'an uppercase letter', met: (password: string) => /[A-Z]/.test(password) },
  { says: 'a number', met: (password: string) => /[0-9]/.test(password) },
]

export const newPassword = z.string({ error: words('PASSWORD_MISSING') }).check(
  z.maxLength(200, { error: words('PASSWORD_TOO_LONG') }),
  z.refine((password) => PASSWORD_RULES.every((rule) => rule.met(password)), {
    error: words('WEAK_PASSWORD'),
  }),
)

/** A file that a form sends: a Blob in the browser, an Upload once the server has read it to its end. */
export interface Blob {
  readonly size: number
  readonly type: string
}
/** A file on the server's disk. A class, since what a body merely describes must never pass for one. */
export class Upload {
  readonly path: string
  readonly size: number
  readonly filename: string
  /** The file went on past the call's limit. */
  readonly truncated: boolean
  constructor({ path, size, filename, truncated }: Upload) {
    this.path = path
    this.size = size
    this.filename = filename
    this.truncated = truncated
  }
}
export const file: z.ZodMiniType<Upload, Blob> = z.custom<any>(
  (value) =>
    value instanceof Upload || /^\[object (Blob|File)\]$/.test(Object.prototype.toString.call(value)),
)

export const isoTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/))
/** A day that the calendar has: neither the 30th of February nor one of the year 0. */
export const isoDate = z.string().check(
  z.regex(/^(?!0000)\d{4}-\d\d-\d\d$/),
  z.refine<string>(
    (date) => !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date),
    { error: words('INVALID_INPUT') },
  ),
)
export const nothing = z.object({})
