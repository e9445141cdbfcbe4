import * as z from 'zod'
import { call } from './call.ts'
import { words } from './errors.ts'
import { email, nothing, text } from './fields.ts'

export const joinNewsletter = call({
  method: 'POST',
  path: '/newsletter',
  summary: 'Ask for our newsletter; it starts once the link in the mail is clicked',
  access: 'anyone',
  input: z.object({
    name: text(120, words('CONTACT_NAME_MISSING')),
    email,
    /** Hidden from people: only programs fill it. */
    website: z.string().max(1000).default(''),
  }),
  output: nothing,
})

const code = z.string().min(1).max(600)

export const confirmNewsletter = call({
  method: 'POST',
  path: '/newsletter/confirm',
  summary: 'Confirm the newsletter with the link from the mail',
  access: 'anyone',
  input: z.object({ code }),
  output: nothing,
})

export const leaveNewsletter = call({
  method: 'POST',
  path: '/newsletter/leave',
  summary: 'Unsubscribe with the link in each newsletter',
  access: 'anyone',
  input: z.object({ code }),
  output: nothing,
})
