import { useEffect, useState } from 'react'

/** A browser doesn't request a script again that once failed to load, so the page has to be reloaded. */
async function reloadWhenReachable() {
  const sign = new Image()
  sign.src = `/scenes/offline.svg?${Date.now()}`
  await sign.decode()
  location.reload()
}

/** A component whose script loads once something shows. Pass the same function at every render. */
export function useLate<Part>(load: () => Promise<Part>) {
  const [part, setPart] = useState<{ loaded: Part }>()
  const [tries, setTries] = useState(0)
  const [failedAt, setFailedAt] = useState(-1)

  useEffect(() => {
    let left = false
    const fail = () => left || setFailedAt(tries)
    load().then(
      (loaded) => left || setPart({ loaded }),
      () => (tries > 0 && !left ? reloadWhenReachable().catch(fail) : fail()),
    )
    return () => void (left = true)
  }, [load, tries])

  return { part: part?.loaded, failed: failedAt === tries, retry: () => setTries(tries + 1) }
}
