/** Where the tab stores the policy number of an insurer's link, until its pet is on an account. */
export const POLICY_PLACE = 'draft:policy'
