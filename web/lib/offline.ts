/** Has the one page kept that is shown without a network. Developing, it would be an old one; a browser that refuses goes without. */
export function keepOfflinePage() {
  if (import.meta.env.PROD) navigator.serviceWorker?.register('/worker.js').catch(() => {})
}
