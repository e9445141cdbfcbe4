/**
 * Where mail to an address arrives, for counting: most providers deliver anna+anything@ to anna@, and Google leaves out
 * dots. Without this, a limit for each email would be dodged with one mailbox.
 */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@')
  const name = local.split('+')[0]!
  if (!['gmail.com', 'googlemail.com'].includes(domain)) return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@gmail.com`
}
