import { keepInTab } from '../ui/tab-storage.ts'

/**
 * Says whose drafts this tab has: those of the person who was last seen signed in here. Anybody else's sign-in deletes
 * them, even that of a new person whose id isn't known yet.
 */
export function claimTab(person?: number) {
  const whose = sessionStorage['whose']
  if (whose !== undefined && whose !== String(person)) sessionStorage.clear()
  if (person !== undefined) keepInTab('whose', String(person))
}
