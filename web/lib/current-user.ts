import * as calls from '#contract/accounts.ts'
import { query } from './queries.ts'

/** Who is signed in; a vet with their open consults. */
export const currentUser = query(calls.me, {})
