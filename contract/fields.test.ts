import { expect, it } from 'vitest'
import type * as z from 'zod'
import { sentenceOf } from './errors.ts'
import { email, isDay, isEmail, isoDate, optionalText, text, typedName, whole } from './fields.ts'

const says = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message)

it('a value that is too long is called too long, not missing [API-3]', () => {
  const name = text(80, sentenceOf('FIRST_NAME_MISSING'))
  for (const empty of [' ', '\u200b', '\u3164 \u2060'])
    expect(says(name, empty)).toEqual(['First name can not be empty'])
  for (const seen of ['👩‍⚕️', '‏محمد', '李']) expect(says(name, seen)).toBeUndefined()
  expect(says(name, 'x'.repeat(81))).toEqual(['This is too long. Please shorten it.'])
  expect(says(name, `  ${'x'.repeat(80)}  `)).toBeUndefined()
  expect(says(optionalText(4000), 'x'.repeat(4001))).toEqual(['This is too long. Please shorten it.'])
})

it('a name is one line, without invisible characters or ones that reverse the text [API-3]', () => {
  const name = typedName(sentenceOf('FIRST_NAME_MISSING'))
  expect(name.parse(' Rex\r\n\tvan  Zyl \u202egpj')).toBe('Rex van Zyl gpj')
  // Persian and emoji are joined by characters that nobody sees.
  for (const kept of ['می\u200cخواهم', '👩\u200d⚕️', 'Zoë O’Neil-Ndlovu', '王小明'])
    expect(name.parse(kept)).toBe(kept)
  for (const none of ['\u200b\u2066 \ufeff', '\u200c\u200d'])
    expect(says(name, none)).toEqual(['First name can not be empty'])
  expect(says(name, 'x'.repeat(81))).toEqual(['This is too long. Please shorten it.'])
})

it("a code that is too long gets the same answer as one that doesn't exist [BUY-8]", () => {
  const code = text(60, sentenceOf('COUPON_INVALID'), sentenceOf('COUPON_INVALID'))
  for (const wrong of ['', 'x'.repeat(61)]) expect(says(code, wrong)).toEqual(['Invalid coupon'])
})

it('a whole number may be sent as its digits in a string, and in no other form [API-3]', () => {
  for (const five of [5, '5', '05', 5.0]) expect(whole(1, 5).parse(five)).toBe(5)
  for (const none of [0, 6, '6', 4.5, '4.5', '5e0', ' 5', '-5', '', null, true, [5], Number.NaN, Infinity])
    expect(whole(1, 5).safeParse(none).success, String(none)).toBe(false)
})

it.each([
  'a@b.co',
  ' O’x@b.co',
  "o'x+1@sub.b-c.com",
  'a@b',
  'a b@c.co',
  'a..b@c.co',
  '.a@c.co',
  `${'a'.repeat(250)}@b.co`,
  '',
])('the form and the call judge the email %s alike [LOG-1]', (typed) =>
  expect(isEmail(typed)).toBe(email.safeParse(typed).success),
)

it.each(['2024-02-29', '2023-02-29', '0000-01-01', '9999-12-31', '2024-1-1', '', '31/12/2027'])(
  'the form and the call judge the day %s alike [PET-1]',
  (typed) => expect(isDay(typed)).toBe(isoDate.safeParse(typed).success),
)
