import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button.tsx'
import { say } from './say.ts'

interface FirstRowsProps<T> {
  items: readonly T[]
  count: number
  children: (item: T) => ReactNode
  /** Another button below the list. */
  beside?: ReactNode
}

/** The first rows of a list, and a button for the rest. A press removes it and focuses the first new row. */
export function FirstRows<T>({ items, count, beside, children }: FirstRowsProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [all, setAll] = useState(false)
  const hasMore = !all && items.length > count
  function showAll() {
    flushSync(() => setAll(true))
    const next = list.current!.children[count] as HTMLElement
    next.tabIndex = -1
    next.focus()
  }
  return (
    <>
      <ul ref={list} className="divide-y divide-line">
        {(all ? items : items.slice(0, count)).map((item) => children(item))}
      </ul>
      {(hasMore || beside) && (
        <div className="flex flex-wrap gap-2 px-2 py-3 lg:px-3">
          {beside}
          {hasMore && (
            <Button size={44} variant="text" onClick={showAll}>
              {say('Show all {count}', { count: items.length })}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
