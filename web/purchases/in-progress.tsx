import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from '../ui/card.tsx'
import { Spinner } from '../ui/spinner.tsx'

interface Props {
  title: string
  says: string
  spins: boolean
  children: ReactNode
}

/** Replaces the form, and what the page says above it, while a purchase finishes or its outcome is unknown. */
export function InProgress({ title, says, spins, children }: Props) {
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [])
  return (
    <div data-done className="wrap pt-8 pb-16 max-lg:max-w-[632px] lg:pb-24">
      <Card className="stack max-w-[592px] gap-5">
        <div role="status" className="stack gap-2">
          <h1 ref={head} tabIndex={-1} className="flex items-center gap-3 t28">
            {spins && <Spinner className="text-green" />}
            {title}
          </h1>
          <p className="text-ink-soft">{says}</p>
        </div>
        {children}
      </Card>
    </div>
  )
}
