import { useEffect, useState } from 'react'

/** If a script failed to load once, a browser doesn't request it again, so the page has to be reloaded. */
async function reloadWhenReachable() {
  const sign = new Image()
  sign.src = `/scenes/offline.svg?${Date.now()}`
  await sign.decode()
  location.reload()
}

/** A component whose script loads when it is first shown. Pass the same function at every render. */
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

  return { part: part?.loaded, isError: failedAt === tries, refetch: () => setTries(tries + 1) }
}
