/** The outbox's names in IndexedDB: pages fill it, and the service worker counts what waits in it. */
export const OUTBOX = { database: 'vetchat', store: 'unsent', index: 'consultation' }
