import * as z from 'zod/mini'
import { call } from './call.ts'
import { email, nothing } from './fields.ts'

/** What the house itself answers: that it is ready, and the sandbox's mailbox. */
export const health = call({
  method: 'GET',
  path: '/health',
  summary: 'Whether the product is ready to serve',
  access: 'anyone',
  input: nothing,
  output: z.object({ ok: z.literal(true) }),
})

export const sandboxMail = call({
  method: 'GET',
  path: '/sandbox/mail',
  summary: 'Mails that were sent while no mail server is configured, newest first',
  access: 'anyone',
  sandbox: 'mail',
  input: z.object({ to: z.optional(email) }),
  output: z.array(
    z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), sentAt: z.string() }),
  ),
})
