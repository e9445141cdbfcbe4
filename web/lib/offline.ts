/** Keeps the offline page on the device. Not in development, where it would be stale; a browser that refuses goes without. */
export function keepOfflinePage() {
  if (import.meta.env.PROD) navigator.serviceWorker?.register('/worker.js').catch(() => {})
}
