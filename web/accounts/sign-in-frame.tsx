import type { ReactNode } from 'react'
import { Scene } from '../ui/scene.tsx'

/** The frame of sign-in and similar short pages: a form, with a drawing beside it where there's room. */
export const SignInFrame = ({
  title,
  lead,
  children,
}: {
  title: string
  lead: string
  children: ReactNode
}) => (
  <div className="wrap stack content-start gap-10 pt-8 pb-16 lg:grid-cols-[416px_minmax(0,1fr)] lg:gap-24 lg:pt-16 lg:pb-24">
    <div className="stack content-start gap-8 max-lg:max-w-120">
      <div className="stack gap-2">
        <h1 className="t36">{title}</h1>
        <p className="text-ink-soft">{lead}</p>
      </div>
      {children}
    </div>
    <div aria-hidden="true" className="hidden content-center lg:grid">
      {/* Lazy, so that it isn't loaded where there's no room for it. */}
      <Scene scene="rabbit-and-child-hand" loading="lazy" />
    </div>
  </div>
)
