import { useLocation, useNavigation } from 'react-router'

/** Whether the router is loading another page. */
export function useLeaving() {
  const here = useLocation()
  const { location: next = here } = useNavigation()
  return next.pathname !== here.pathname
}
