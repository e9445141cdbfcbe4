import { useInsertionEffect, useRef, useState } from 'react'

type Acts = Record<string, (...given: never[]) => unknown>

/** The same functions for as long as the component is there, each doing what was last given: a memoized child stays as it is. */
export function useSteady<A extends Acts>(acts: A): A {
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
