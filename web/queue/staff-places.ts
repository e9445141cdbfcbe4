import type { IconName } from '../ui/icon.tsx'

interface StaffPlace {
  href: string
  title: string
  icon: IconName
  /** Vets don't see it. */
  adminsOnly?: true
  /** The Admin Manager has its own entry for it. */
  inAdmin?: true
}

const QUEUE: StaffPlace = { href: '/myaccount?filter=available', title: 'Queue', icon: 'list' }
const CONSULTS: StaffPlace = { href: '/myaccount', title: 'All consults', icon: 'clipboard-list' }

/** The entries of the staff's bar, in its order. A new page for staff adds an entry here. */
export const STAFF_PLACES: readonly StaffPlace[] = [
  QUEUE,
  CONSULTS,
  { href: '/phone', title: 'Phone', icon: 'phone' },
  { href: '/roster', title: 'Roster', icon: 'calendar', inAdmin: true },
  { href: '/admin', title: 'Admin Manager', icon: 'settings', adminsOnly: true },
]

export const isQueue = (place: StaffPlace) => place === QUEUE

/** The entry that an address belongs to. The console belongs to the queue. */
export function placeAt(address: string): StaffPlace | undefined {
  const { pathname, searchParams } = new URL(address, 'http://here')
  if (/^\/(text|video)-chat\//.test(pathname)) return QUEUE
  if (pathname.startsWith('/myaccount/')) return undefined
  if (pathname === '/myaccount') return searchParams.get('filter') === 'available' ? QUEUE : CONSULTS
  return STAFF_PLACES.find(({ href }) => pathname.startsWith(href))
}
