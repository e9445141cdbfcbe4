import { useLocation, useNavigate } from 'react-router'

/**
 * What a page asks for, kept in the address behind the #. It may be somebody's email, and browsers send nothing behind
 * the # to any server, so it stands in no log.
 */
export function useFragment() {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  return {
    asked: new URLSearchParams(hash.slice(1)),
    ask: (values: Record<string, string | undefined>, { replace = false } = {}) =>
      void navigate({ pathname, search, hash: fragmentOf(values) }, { replace, preventScrollReset: true }),
  }
}

/** "#q=zan&kind=guest", without what is empty. */
export function fragmentOf(values: Record<string, string | undefined>): string {
  const words = new URLSearchParams(
    Object.entries(values).filter((pair): pair is [string, string] => !!pair[1]),
  )
  return words.size > 0 ? `#${words}` : ''
}
