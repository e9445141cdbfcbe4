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

/** The mail server refused this mail for good, so a retry would be refused too. */
export class MailRefused extends Error {
  override name = 'MailRefused'
}

/** Sends one mail; throws if the mail server doesn't accept it. */
export type Postman = (mail: Letterbox) => Promise<void>

interface SmtpError {
  responseCode?: number
  command?: string
}
/** Refusals of the mail itself. Refusals of the sign-in or connection are about our settings, and end when those are right. */
const ABOUT_THE_MAIL = ['MAIL FROM', 'RCPT TO', 'DATA']
const ABOUT_OUR_SETTINGS = [503, 521, 530, 534, 535, 538]
const isForGood = ({ responseCode = 0, command = '' }: SmtpError) =>
  responseCode >= 500 && ABOUT_THE_MAIL.includes(command) && !ABOUT_OUR_SETTINGS.includes(responseCode)

/**
 * Without SMTP_URL no mail leaves the server: the table of mails is the sandbox's mailbox. `patienceMs` is for a server
 * that answers a byte at a time and so keeps to the other limits. A batch must end before its claim expires.
 */
export function openPostman(
  { smtpUrl, mailFrom }: Pick<Env, 'smtpUrl' | 'mailFrom'>,
  patienceMs = 100_000,
): Postman {
  if (!smtpUrl) return async () => {}
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url: smtpUrl,
      pool: true,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    }),
  )
  return async ({ messageId, to, subject, text, html, attachments }) => {
    const enclosed: { filename: string; contentType: string; content: Readable }[] = []
    try {
      for (const { filename, type, open } of attachments)
        enclosed.push({ filename, contentType: type, content: await open() })
      const signal = AbortSignal.timeout(patienceMs)
      const sent = { from: mailFrom, messageId, to, subject, text, html, attachments: enclosed, signal }
      await (await transport).sendMail(sent)
    } catch (error) {
      throw isForGood(error as SmtpError)
        ? new MailRefused((error as Error).message, { cause: error })
        : error
    } finally {
      // If the mail wasn't sent, these were never read.
      for (const { content } of enclosed) content.destroy()
    }
  }
}
