import { useEffect, useState } from 'react'

/** A browser does not ask again for a script that once did not come, so the page has to be asked for again. */
async function reloadWhenReachable() {
  const sign = new Image()
  sign.src = `/scenes/offline.svg?${Date.now()}`
  await sign.decode()
  location.reload()
}

/** A part whose script comes by itself once something shows. Give the same function at every render. */
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
