import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { say } from './say.ts'
import { Scene } from './scene.tsx'

const PICTURE = 'mb-1 w-[min(200px,56%)]'

type Words = {
  title: string
  /** What to do next, in one line. */
  children?: ReactNode
  /** At most one button. */
  action?: ReactNode
}

export const Empty = ({ scene, ...words }: Words & { scene: string }) => (
  <Told picture={<Scene scene={scene} className={PICTURE} />} {...words} />
)

const Told = ({ picture, title, children, action }: Words & { picture: ReactNode }) => (
  <div className="stack justify-items-center gap-2 px-5 py-8 text-center">
    {picture}
    <p className="t18">{title}</p>
    {children && <p className="text-ink-soft">{children}</p>}
    {action && <div className="mt-3">{action}</div>}
  </div>
)

export function Failed({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <div role="alert">
      <Told
        picture={
          // While offline, this picture doesn't load either, and none is better than a broken one.
          <Scene
            scene="offline"
            className={PICTURE}
            onError={(event) => event.currentTarget.classList.add('invisible')}
          />
        }
        title={say('We couldn’t load {what}', { what })}
        action={
          <Button
            onClick={({ currentTarget }) => {
              // The button disappears while it loads.
              const place = currentTarget.closest('dialog')?.querySelector('h2')
              ;(place ?? document.getElementById('main'))?.focus({ preventScroll: true })
              onRetry()
            }}
          >
            {say('Try again')}
          </Button>
        }
      >
        {say('Check your connection, or try again in a minute. Nothing is lost.')}
      </Told>
    </div>
  )
}
