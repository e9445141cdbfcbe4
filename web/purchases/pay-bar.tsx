import { type ReactNode, useEffect, useRef } from 'react'

/** On a phone the button stays below what is filled in. */
export function PayBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  // What has the focus must not stand behind the bar.
  useEffect(() => {
    const root = document.documentElement
    const room = () => (root.style.scrollPaddingBottom = `${(bar.current?.offsetHeight ?? 0) + 16}px`)
    const watcher = new ResizeObserver(room)
    if (bar.current) watcher.observe(bar.current)
    return () => {
      watcher.disconnect()
      root.style.scrollPaddingBottom = ''
    }
  }, [])
  return (
    <div
      ref={bar}
      className="sticky bottom-0 z-15 border-t border-line bg-card px-(--gutter) pt-3 pb-[calc(12px+env(safe-area-inset-bottom))] shadow-float lg:hidden"
    >
      <div className="mx-auto max-w-[592px]">{children}</div>
    </div>
  )
}
