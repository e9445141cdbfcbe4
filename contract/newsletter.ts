import * as z from 'zod'
import { call } from './call.ts'
import { words } from './errors.ts'
import { email, nothing, text } from './fields.ts'

export const joinNewsletter = call({
  method: 'POST',
  path: '/newsletter',
  summary: 'Ask to get our news; it counts once the mailed link is pressed',
  access: 'anyone',
  input: z.object({
    name: text(120, words('CONTACT_NAME_MISSING')),
    email,
    /** People do not see this field. */
    website: z.string().max(1000).default(''),
  }),
  output: nothing,
})

const code = z.string().min(1).max(600)

export const confirmNewsletter = call({
  method: 'POST',
  path: '/newsletter/confirm',
  summary: 'The mailed link: from now on our news come',
  access: 'anyone',
  input: z.object({ code }),
  output: nothing,
})

export const leaveNewsletter = call({
  method: 'POST',
  path: '/newsletter/leave',
  summary: 'The link in each of our news: no more of them',
  access: 'anyone',
  input: z.object({ code }),
  output: nothing,
})
