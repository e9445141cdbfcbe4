import { useInsertionEffect, useRef, useState } from 'react'

type Acts = Record<string, (...given: never[]) => unknown>

/** Functions that stay the same but call the latest ones, so that a memoized child isn't rendered again. */
export function useStableCallbacks<A extends Acts>(acts: A): A {
  const latest = useRef(acts)
  useInsertionEffect(() => void (latest.current = acts))
  const [steady] = useState(
    () =>
      Object.fromEntries(
        Object.keys(acts).map((name) => [name, (...given: never[]) => latest.current[name]!(...given)]),
      ) as A,
  )
  return steady
}
