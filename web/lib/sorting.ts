import { useLocation, useSearchParams } from 'react-router'

type Keys<Row, By extends string> = Record<By, (row: Row) => string | number>

/**
 * The order of a list that the page has in full, in the address as ?sort=title or ?sort=-title. Pressing a column again
 * reverses its order.
 */
export function useSorting<Row, By extends string>(keys: Keys<Row, By>, first: NoInfer<By | `-${By}`>) {
  const [asked] = useSearchParams()
  const { pathname } = useLocation()
  const named = (sort: string) => sort.replace('-', '') as By
  const given = asked.get('sort') ?? first
  const sort = Object.hasOwn(keys, named(given)) ? given : first
  const isDown = sort.startsWith('-')

  const addressOf = (next: string) => {
    const all = new URLSearchParams(asked)
    all.delete('page')
    if (next === first) all.delete('sort')
    else all.set('sort', next)
    return `${pathname}${all.size > 0 ? `?${all}` : ''}`
  }
  return {
    /** For a column's heading. `begins` is the order that it sorts in first. */
    head: (by: By, begins: 'ascending' | 'descending' = 'ascending') => {
      const sorted =
        named(sort) !== by ? undefined : isDown ? ('descending' as const) : ('ascending' as const)
      const down = sorted ? !isDown : begins === 'descending'
      return { sorted, href: addressOf(down ? `-${by}` : by) }
    },
    inOrder: (rows: readonly Row[]) => {
      const key = keys[named(sort)]
      return rows.toSorted((one, other) => {
        const [a, b] = isDown ? [key(other), key(one)] : [key(one), key(other)]
        return a < b ? -1 : a > b ? 1 : 0
      })
    },
  }
}
