import type { World } from '../context.ts'
import { tryTake } from '../identity/limits.ts'
import { mailboxOf } from './mailbox.ts'

/**
 * Whether we may send one more mail to an address that its account hasn't confirmed. Anybody can type an address, so the
 * mails to a mailbox are limited, whatever the account does. Call it outside any transaction that also asks about another mailbox.
 */
export const mayMailUnconfirmed = async (place: Pick<World, 'db' | 'now'>, email: string): Promise<boolean> =>
  (await tryTake(place, 'unconfirmedEmail', mailboxOf(email))) === 0

/** Whether we may send one more mail about what a person does with their account. */
export const mayMail = async (
  place: Pick<World, 'db' | 'now'>,
  { email, emailConfirmedAt }: { email: string; emailConfirmedAt: Date | null },
): Promise<boolean> => emailConfirmedAt !== null || mayMailUnconfirmed(place, email)

/** The same for mails with a limit for each address. Only other names of one mailbox count together. */
export const mayMailAlias = async (place: Pick<World, 'db' | 'now'>, email: string): Promise<boolean> =>
  email === mailboxOf(email) || mayMailUnconfirmed(place, email)
