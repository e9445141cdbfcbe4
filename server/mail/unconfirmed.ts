import type { World } from '../context.ts'
import { tryTake } from '../identity/limits.ts'
import { mailboxOf } from './mailbox.ts'

/**
 * Whether one more mail may go to an address that the account behind it hasn't confirmed. Anybody can type an address,
 * so its mailbox isn't filled, whatever the account does. Ask outside of transactions that ask for another mailbox too.
 */
export const mayMailUnconfirmed = async (place: Pick<World, 'db' | 'now'>, email: string): Promise<boolean> =>
  (await tryTake(place, 'unconfirmedEmail', mailboxOf(email))) === 0

/** The same where each address has a limit of its own: only further names of one mailbox count together. */
export const mayMailAlias = async (place: Pick<World, 'db' | 'now'>, email: string): Promise<boolean> =>
  email === mailboxOf(email) || mayMailUnconfirmed(place, email)
