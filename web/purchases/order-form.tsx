import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from '../ui/card.tsx'
import { Form, type FormProps } from '../ui/form.tsx'

type Props<Typed extends object> = Omit<FormProps<Typed>, 'title' | 'className'> & {
  /** Says what is being bought. */
  title: string
  sum: ReactNode
  button: ReactNode
  /** What happens after the purchase. */
  next: ReactNode
}

/** The whole form, with the total beside it. On a phone the button stays at the bottom if the window is tall enough. */
export const OrderForm = <Typed extends object>({ title, sum, button, next, ...form }: Props<Typed>) => (
  <>
    <div className="wrap stack gap-8 pt-8 pb-10 max-lg:max-w-[632px] lg:grid-cols-[minmax(0,592px)_minmax(0,400px)] lg:items-start lg:justify-between lg:gap-16 lg:pt-10 lg:pb-24">
      <Form {...form} className="stack gap-8 lg:gap-10" />
      <aside aria-label={title} className="hidden gap-6 lg:sticky lg:top-24 lg:grid">
        <Card className="stack gap-6">
          <h2 className="t22">{title}</h2>
          {sum}
        </Card>
        <div className="px-6">{next}</div>
      </aside>
    </div>
    <PayBar>{button}</PayBar>
  </>
)

function PayBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  // Keep the focused field clear of the bar.
  useEffect(() => {
    const root = document.documentElement
    const room = () => {
      const covers = bar.current && getComputedStyle(bar.current).position === 'sticky'
      root.style.scrollPaddingBottom = covers ? `${bar.current!.offsetHeight + 16}px` : ''
    }
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
      className="bottom-0 z-15 border-t border-line bg-card px-(--gutter) pt-3 pb-[calc(12px+env(safe-area-inset-bottom))] shadow-float lg:hidden [@media(height>=560px)]:sticky"
    >
      <div className="mx-auto max-w-[592px]">{children}</div>
    </div>
  )
}
