/** Stores the offline page on the device, except in development, where it would be stale. Some browsers refuse. */
export function keepOfflinePage() {
  if (import.meta.env.PROD) navigator.serviceWorker?.register('/worker.js').catch(() => {})
}
