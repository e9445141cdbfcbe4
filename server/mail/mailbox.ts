/**
 * The mailbox behind an address, for counting: most providers deliver anna+anything@ to anna@, and Google leaves out
 * dots. Without this, one mailbox could get around a limit for each email.
 */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@')
  const name = local.split('+')[0]!
  if (!['gmail.com', 'googlemail.com'].includes(domain)) return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@gmail.com`
}
