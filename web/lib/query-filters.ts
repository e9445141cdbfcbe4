import { useSearchParams } from 'react-router'

/** A list's filters, kept in the address behind the ?. Changing them adds no step for Back. */
export function useQueryFilters() {
  const [asked, ask] = useSearchParams()
  const set = (name: string, value: string) =>
    ask(
      (now) => {
        if (value) now.set(name, value)
        else now.delete(name)
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  return { asked, set }
}
