import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from '../ui/card.tsx'
import { Spinner } from '../ui/spinner.tsx'

interface Props {
  picture?: ReactNode
  title: string
  says: ReactNode
  spins?: boolean
  children: ReactNode
}

/** Replaces the form, and what the page says above it, once it has been sent: it is done, or its outcome is unknown. */
export function Outcome({ picture, title, says, spins, children }: Props) {
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [])
  return (
    <div data-done className="wrap pt-8 pb-16 max-lg:max-w-[632px] lg:pb-24">
      <Card className="stack max-w-[592px] gap-5">
        {picture}
        <div role="status" className="stack gap-2">
          <h1 ref={head} tabIndex={-1} className="flex items-center gap-3 t28">
            {spins && <Spinner className="text-green" />}
            {title}
          </h1>
          <div className="stack gap-2 text-ink-soft">{says}</div>
        </div>
        {children}
      </Card>
    </div>
  )
}
