import { expect, it } from 'vitest'
import { mailboxOf } from './mailbox.ts'

it.each([
  ['Anna@Example.com ', 'anna@example.com'],
  ['anna+1@example.com', 'anna@example.com'],
  ['an.na@example.com', 'an.na@example.com'],
  ['an.na+free@googlemail.com', 'anna@gmail.com'],
  ['a.n.n.a@gmail.com', 'anna@gmail.com'],
])('mail to %s arrives at %s [SAF-2]', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox))
