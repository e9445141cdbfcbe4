/** Mail providers that most buyers use. THEIRS are other real ones that look like a mistyped one of these. */
const COMMON = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'webmail.co.za',
  'mweb.co.za',
  'telkomsa.net',
  'vodamail.co.za',
  'bigpond.com',
]
const THEIRS = /^(mail|ymail|email|gmx|live|me|mac|aol|msn)\.|^(yahoo|hotmail|outlook|live)\.\w\w/

/** Whether one letter was left out, doubled, swapped with its neighbour or mistaken. */
function isSlip(typed: string, meant: string): boolean {
  if (Math.abs(typed.length - meant.length) > 1) return false
  let at = 0
  while (at < typed.length && typed[at] === meant[at]) at++
  const [a, b] = [typed.slice(at), meant.slice(at)]
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  )
}

/** The address that was probably meant, or undefined. The page offers it but never changes what was typed. */
export function suggestedEmail(typed: string): string | undefined {
  const [, name, domain = ''] = /^(.+)@([^@]+)$/.exec(typed.trim().toLowerCase()) ?? []
  if (!name || COMMON.includes(domain) || THEIRS.test(domain)) return undefined
  const meant = COMMON.find((one) => isSlip(domain, one))
  return meant && `${typed.trim().slice(0, name.length)}@${meant}`
}
