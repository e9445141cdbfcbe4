/** The outbox's names in IndexedDB: pages fill it, and the service worker counts what waits in it. */
export const OUTBOX = { database: 'vetchat', store: 'unsent', index: 'consultation' }
/** Conversations that can be read offline: rooms write them, and the end of a session deletes them all. */
export const KEPT = { database: 'vetchat-kept', store: 'conversations' }
/** The room's page and its files, in which nobody is named: the service worker answers with them offline. */
export const SHELL = { cache: 'room', address: '/room-shell' }
