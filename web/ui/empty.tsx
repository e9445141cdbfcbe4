import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type EmptyProps = {
  scene: 'empty-no-pets' | 'empty-no-consults' | 'offline' | 'not-found' | 'success'
  /** One line what. */
  title: string
  /** One line what next. */
  children?: ReactNode
  /** At most one button. */
  action?: ReactNode
}

export function Empty({ scene, title, children, action }: EmptyProps) {
  return (
    <div className="stack justify-items-center gap-2 px-5 py-8 text-center">
      <img
        src={`/scenes/${scene}.svg`}
        alt=""
        width={320}
        height={240}
        className="mb-1 h-auto w-[min(200px,56%)]"
        // Without a line it does not come either: better nothing than a broken picture.
        onError={(event) => event.currentTarget.classList.add('invisible')}
      />
      <p className="t18">{title}</p>
      {children && <p className="text-ink-soft">{children}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}

/** A list or page that did not come. */
export function Failed({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <div role="alert">
      <Empty
        scene="offline"
        title={`We couldn’t load ${what}`}
        action={<Button onClick={onRetry}>Try again</Button>}
      >
        The line seems to be down. Nothing is lost.
      </Empty>
    </div>
  )
}
