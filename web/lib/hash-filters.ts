import { useLocation, useNavigate } from 'react-router'

/**
 * A page's filters, kept in the address behind the #. They may contain somebody's email, and browsers don't send what
 * is behind the # to any server, so it appears in no log.
 */
export function useHashFilters() {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  return {
    asked: new URLSearchParams(hash.slice(1)),
    ask: (values: Record<string, string | undefined>, { replace = false } = {}) =>
      void navigate({ pathname, search, hash: hashOf(values) }, { replace, preventScrollReset: true }),
  }
}

/** "#q=zan&kind=guest", without empty values. */
export function hashOf(values: Record<string, string | undefined>): string {
  const words = new URLSearchParams(
    Object.entries(values).filter((pair): pair is [string, string] => !!pair[1]),
  )
  return words.size > 0 ? `#${words}` : ''
}
