import type { IconName } from '../ui/icon.tsx'

interface StaffPlace {
  href: string
  title: string
  icon: IconName
  /** Vets don't see it. */
  adminsOnly?: true
  /** The Admin Manager has a place of its own for it. */
  inAdmin?: true
}

const QUEUE: StaffPlace = { href: '/myaccount?filter=available', title: 'Queue', icon: 'list' }
const CONSULTS: StaffPlace = { href: '/myaccount', title: 'All consults', icon: 'clipboard-list' }

/** Where staff go, in the order of their bar. A page of its own is one entry here. */
export const STAFF_PLACES: readonly StaffPlace[] = [
  QUEUE,
  CONSULTS,
  { href: '/phone', title: 'Phone', icon: 'phone' },
  { href: '/roster', title: 'Roster', icon: 'calendar', inAdmin: true },
  { href: '/admin', title: 'Admin Manager', icon: 'settings', adminsOnly: true },
]

export const isQueue = (place: StaffPlace) => place === QUEUE

/** The place that an address belongs to. The console is the queue too. */
export function placeAt(address: string): StaffPlace | undefined {
  const { pathname, searchParams } = new URL(address, 'http://here')
  if (/^\/(text|video)-chat\//.test(pathname)) return QUEUE
  if (pathname.startsWith('/myaccount/')) return undefined
  if (pathname === '/myaccount') return searchParams.get('filter') === 'available' ? QUEUE : CONSULTS
  return STAFF_PLACES.find(({ href }) => pathname.startsWith(href))
}
