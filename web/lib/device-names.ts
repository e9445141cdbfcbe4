/** The outbox's names in IndexedDB. Pages fill it, and the service worker counts what is waiting in it. */
export const OUTBOX = { database: 'vetchat', store: 'unsent', index: 'consultation' }
/** Conversations that can be read offline. Rooms store them, and the end of a session deletes them all. */
export const KEPT = { database: 'vetchat-kept', store: 'conversations' }
/** The room's page and its files, without anyone's name. While offline, the service worker answers with them. */
export const SHELL = { cache: 'room', address: '/room-shell' }
