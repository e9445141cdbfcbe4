import { keepInTab } from '../ui/tab-storage.ts'

/** Whose drafts this tab has: the person who was last seen signed in here. Anybody else's sign-in deletes them. */
export function claimTab(person: number | undefined) {
  if (String(sessionStorage['whose'] ?? person) !== String(person)) sessionStorage.clear()
  keepInTab('whose', String(person))
}
