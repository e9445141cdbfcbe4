import type { Readable } from 'node:stream'
import type { Env } from '../env.ts'

export interface Letterbox {
  messageId: string
  to: string
  subject: string
  text: string
  html: string
  attachments: Enclosed[]
}

export interface Enclosed {
  filename: string
  type: string
  open: () => Promise<Readable>
}

/** Sends one mail; throws if the mail server doesn't accept it. */
export type Postman = (mail: Letterbox) => Promise<void>

/** Without SMTP_URL no mail leaves the server: the table of mails is the sandbox's mailbox. */
export function openPostman({ smtpUrl, mailFrom }: Pick<Env, 'smtpUrl' | 'mailFrom'>): Postman {
  if (!smtpUrl) return async () => {}
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url: smtpUrl,
      pool: true,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    }),
  )
  return async ({ messageId, to, subject, text, html, attachments }) => {
    const enclosed: { filename: string; contentType: string; content: Readable }[] = []
    try {
      for (const { filename, type, open } of attachments)
        enclosed.push({ filename, contentType: type, content: await open() })
      await (
        await transport
      ).sendMail({ from: mailFrom, messageId, to, subject, text, html, attachments: enclosed })
    } finally {
      // Where the mail did not leave, nobody has read them.
      for (const { content } of enclosed) content.destroy()
    }
  }
}
