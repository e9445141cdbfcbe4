// Runs on the offline page, and loads the wanted page as soon as it can be reached.
{
  const LOOKS_EVERY_MS = 10_000

  const look = async () => {
    if (!navigator.onLine || document.visibilityState === 'hidden') return
    const answer = await fetch('/api/health', { cache: 'no-store' }).catch(() => null)
    if (answer?.ok) location.reload()
  }

  if (location.pathname !== '/offline') {
    addEventListener('online', look)
    addEventListener('visibilitychange', look)
    setInterval(look, LOOKS_EVERY_MS)
  }
}
