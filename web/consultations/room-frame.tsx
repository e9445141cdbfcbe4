import { type ReactNode, useEffect } from 'react'
import { CouldNotOpen } from '../chat/could-not-open.tsx'
import { MessageSkeletons } from '../chat/message-skeletons.tsx'
import { Logo } from '../shell/logo.tsx'
import { NeedsScript } from '../shell/needs-script.tsx'
import { LinkButton } from '../ui/button.tsx'
import { IconLink } from '../ui/icon-button.tsx'
import { say } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'

const dots = {
  quiet: 'bg-ink-soft',
  wait: 'bg-amber',
  urgent: 'bg-coral-fill',
  on: 'bg-green',
}
export type Dot = keyof typeof dots

interface FrameProps {
  back: { href: string; name: string }
  face: ReactNode
  title: ReactNode
  state: ReactNode
  dot?: Dot
  more?: ReactNode
  aside?: ReactNode
  /** Printed instead of the page. */
  printed?: ReactNode
  children: ReactNode
}

/** The owner's room fills the screen, and only its contents scroll. */
export function RoomFrame({
  back,
  face,
  title,
  state,
  dot = 'quiet',
  more,
  aside,
  printed,
  children,
}: FrameProps) {
  useVisibleHeight()
  return (
    <main
      tabIndex={-1}
      className="relative grid h-[var(--visible-height,100dvh)] min-h-0 flex-none grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] overflow-clip lg:has-[>aside]:grid-cols-[minmax(0,1fr)_376px] print:block print:h-auto print:overflow-visible"
    >
      <div className="col-span-full hidden min-h-16 items-center justify-between border-b border-line bg-card px-8 lg:flex [@media(max-height:479px)]:hidden">
        <Logo />
        <LinkButton variant="text" size={44} icon="arrow-left" href={back.href}>
          {back.name}
        </LinkButton>
      </div>
      <header className="@container flex min-h-16 items-center gap-2 border-b border-line bg-card px-2 py-[6px] max-lg:col-span-full lg:min-h-18 lg:px-6 [@media(max-height:260px)]:hidden">
        <IconLink
          label={say('Back to {name}', { name: back.name })}
          icon="chevron-left"
          iconSize={24}
          href={back.href}
          className="lg:hidden"
        />
        {/* On the narrowest phones, and with large text, the words need this room. */}
        <span className="contents @max-[23rem]:hidden">{face}</span>
        <div className="min-w-0 flex-1 leading-snug">
          <h1 className="truncate text-16 font-semi lg:text-18">{title}</h1>
          <p className="line-clamp-2 text-14 text-ink-soft @max-[17rem]:line-clamp-4">
            <span aria-hidden="true" className={`mr-[6px] inline-block size-2 rounded-full ${dots[dot]}`} />
            {state}
          </p>
        </div>
        {more}
      </header>
      <div className="row-start-3 grid min-h-0 grid-cols-[minmax(0,1fr)] max-lg:col-span-full">
        {children}
      </div>
      {aside && (
        <aside
          aria-label={say('About this consult')}
          className="col-start-2 row-span-2 row-start-2 hidden min-h-0 divide-y divide-line overflow-y-auto border-l border-line bg-card px-6 *:py-6 lg:block"
        >
          {aside}
        </aside>
      )}
      {printed}
    </main>
  )
}

/** When the keyboard covers the page, makes the page as tall as the rest of the screen. */
function useVisibleHeight() {
  useEffect(() => {
    const view = window.visualViewport
    if (!view) return
    const root = document.documentElement
    const fit = () => {
      const covered = window.innerHeight - view.height * view.scale > 60 && view.scale === 1
      if (covered) root.style.setProperty('--visible-height', `${view.height}px`)
      else root.style.removeProperty('--visible-height')
      if (covered) scrollTo(0, 0)
    }
    view.addEventListener('resize', fit)
    return () => {
      view.removeEventListener('resize', fit)
      root.style.removeProperty('--visible-height')
    }
  }, [])
}

const myAccount = () => ({ href: '/myaccount', name: say('My account') })

/** The room at its final size, before its data has loaded. */
export const RoomOpening = () => (
  <RoomFrame
    back={myAccount()}
    face={<Skeleton round className="size-10" />}
    title={say('Your consult')}
    state={say('Opening…')}
    aside={
      <div className="stack gap-3">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-4 w-56" />
      </div>
    }
  >
    <div className="flex min-h-0 flex-col">
      <NeedsScript />
      <div
        aria-busy="true"
        className="mx-auto grid w-full max-w-[760px] flex-1 content-end gap-[14px] px-4 pb-5 lg:px-6 [@media(scripting:none)]:hidden"
      >
        <p role="status" className="sr-only">
          {say('Opening your consult')}
        </p>
        <MessageSkeletons />
      </div>
    </div>
  </RoomFrame>
)

export const RoomNotRead = ({ onRetry }: { onRetry: () => void }) => (
  <RoomFrame
    back={myAccount()}
    face={<Skeleton round className="size-10 animate-none!" />}
    title={say('Your consult')}
    state={say('Not connected')}
  >
    <CouldNotOpen onRetry={onRetry} />
  </RoomFrame>
)
