import { REGIONS } from '#contract/regions.ts'
import { escaped } from '../http/html-text.ts'
import type { Site } from '../env.ts'
import { nameForMail } from './name-for-mail.ts'

/** An address, or a path on the recipient's site. */
interface Link {
  to: string
}

/** A piece of a mail. Plain text and HTML are made from the same parts. */
export type Part =
  | string
  | { title: string; says: string }
  | ({ button: string } & Link)
  | { code: string }
  | { quiet: string; link?: { says: string } & Link }

export interface Letter {
  subject: string
  parts: Part[]
}

export function greeting(typed: string): string {
  const name = nameForMail(typed)
  return name ? `Hello ${name},` : 'Hello,'
}

/** For somebody whose password a stranger may know. */
export const newPassword: Part = { button: 'Set a new password', to: '/forgotpassword' }

const GREEN = '#0b5d4b'
const INK = '#16211d'
const SOFT = '#55635d'
const FONT = `font-family:Figtree,-apple-system,'Segoe UI',Roboto,Arial,sans-serif`

/** Not every mail program knows white-space, and a vet's plan is a list. */
const lined = (text: string) => escaped(text).replaceAll('\n', '<br>')

const paragraph = (html: string) =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:1.55;color:${INK}">${html}</p>`

const addressOf = ({ to }: Link, site: Site) => new URL(to, site.url).href

function asHtml(part: Part, site: Site): string {
  if (typeof part === 'string') return paragraph(lined(part))
  if ('says' in part) return paragraph(`<b>${escaped(part.title)}</b><br>${lined(part.says)}`)
  if ('quiet' in part)
    return `<p style="margin:0 0 16px;font-size:14px;line-height:1.45;color:${SOFT}">${escaped(part.quiet)}${part.link ? ` <a href="${escaped(addressOf(part.link, site))}" style="color:${SOFT}">${escaped(part.link.says)}</a>` : ''}</p>`
  if ('code' in part)
    return `<p style="margin:0 0 16px;padding:16px;border-radius:8px;background:#f3f2ec;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:18px;letter-spacing:0.06em;color:${INK}">${escaped(part.code)}</p>`
  return `<p style="margin:8px 0 24px"><a href="${escaped(addressOf(part, site))}" style="display:inline-block;padding:14px 28px;border-radius:999px;background:${GREEN};color:#ffffff;font-weight:600;font-size:16px;text-decoration:none">${escaped(part.button)}</a></p>`
}

function asText(part: Part, site: Site): string {
  if (typeof part === 'string') return part
  if ('says' in part) return `${part.title}\n${part.says}`
  if ('quiet' in part)
    return part.link ? `${part.quiet} ${part.link.says}: ${addressOf(part.link, site)}` : part.quiet
  if ('code' in part) return part.code
  return `${part.button}:\n${addressOf(part, site)}`
}

export function writeLetter(
  { subject: said, parts }: Letter,
  site: Site,
): { subject: string; text: string; html: string } {
  // The subject may contain a name that somebody typed, with line breaks. An amount's no-break spaces stay.
  const subject = said.replace(/[^\S\u00A0]+/g, ' ').trim()
  const host = new URL(site.url).host
  const foot = `VetChat, ${host}`
  // Inboxes show a mail's first words beside its subject. Without this, they would be the logo and the subject again.
  const first = parts.filter((part) => typeof part === 'string').find((says) => !says.endsWith(','))
  const preview = first ? `<div style="display:none;mso-hide:all">${escaped(first)}</div>` : ''
  return {
    subject,
    text: `${parts.map((part) => asText(part, site)).join('\n\n')}\n\n-- \n${foot}\n`,
    html: `<!doctype html><html lang="${REGIONS[site.region].lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escaped(subject)}</title></head><body style="margin:0;padding:24px 12px;background:#fbfaf6;${FONT}">${preview}<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left"><tr><td style="padding:0 8px 16px;font-size:22px;font-weight:700;letter-spacing:-0.025em;color:${GREEN}">VetChat</td></tr><tr><td style="padding:32px 28px 16px;border:1px solid #e3e6e0;border-radius:16px;background:#ffffff;word-break:break-word"><h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;color:${INK}">${escaped(subject)}</h1>${parts.map((part) => asHtml(part, site)).join('')}</td></tr><tr><td style="padding:16px 8px;font-size:14px;color:${SOFT}">${escaped(foot)}</td></tr></table></td></tr></table></body></html>`,
  }
}
