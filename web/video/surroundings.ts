const HIDDEN_MS = 60_000

/** Watches what a call depends on: whether the page is visible, and which network the device uses. */
export function watchSurroundings({ onHidden, onNetwork }: { onHidden: () => void; onNetwork: () => void }) {
  const listening = new AbortController()
  const { signal } = listening
  let hiding: ReturnType<typeof setTimeout> | undefined
  const shown = () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'hidden') hiding = setTimeout(onHidden, HIDDEN_MS)
  }
  document.addEventListener('visibilitychange', shown, { signal })
  addEventListener('online', onNetwork, { signal })
  // The connection's other changes are only estimates of speed.
  const network = (navigator as { connection?: EventTarget & { type?: string } }).connection
  let type = network?.type
  const changed = () => {
    if (network?.type !== type) onNetwork()
    type = network?.type
  }
  network?.addEventListener('change', changed, { signal })
  return () => {
    listening.abort()
    clearTimeout(hiding)
  }
}
