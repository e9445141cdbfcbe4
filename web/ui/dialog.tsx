import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { Button } from './button.tsx'
import { useId } from './id.ts'
import { say } from './say.ts'

type DialogProps = {
  /** Without it, only its own buttons close it. */
  onClose?: () => void
  title: ReactNode
  /** For a decision. A short form is not small. */
  small?: boolean
  /** For two columns. */
  wide?: boolean
  children: ReactNode
  /** The buttons, primary first: on the right, or on top on a phone. */
  foot?: ReactNode
  /** The label of a last button, which only closes it. On its own it is the primary one. */
  keeps?: string
}

/**
 * Centred from 640 px, a bottom sheet on phones. Focus moves to the title, and afterwards back to the button that
 * opened it, or to the heading above that.
 */
export function Dialog({ onClose, title, small, wide, children, foot, keeps }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const pressedOutside = useRef(false)

  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const opener = document.activeElement
    const place = opener?.closest('section, main')
    const root = document.documentElement
    root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`)
    element.showModal()
    element.querySelector('h2')?.focus()
    return () => {
      // Closed before it is removed, so that the browser restores the focus.
      element.close()
      if (opener === document.body) return
      // The button that opened it may have disappeared, or does in this turn, with the list that it was in.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const heading = (place?.isConnected ? place : document).querySelector<HTMLElement>('h1, h2, h3')
        heading?.setAttribute('tabindex', '-1')
        heading?.focus({ preventScroll: true })
      })
    }
  }, [])
  // If the body scrolls, even if it only grew later, the keyboard must reach it.
  useLayoutEffect(() => {
    if (body.current && body.current.scrollHeight > body.current.clientHeight) body.current.tabIndex = 0
  })

  return (
    <dialog
      ref={dialog}
      closedby={onClose ? undefined : 'none'}
      aria-labelledby={id}
      className={`fixed inset-0 mx-auto mt-auto mb-0 flex max-h-[calc(100dvh-24px)] w-full max-w-none flex-col overflow-clip rounded-t-panel bg-card text-ink shadow-float backdrop:bg-scrim before:absolute before:top-2 before:left-1/2 before:-ml-5 before:h-1 before:w-10 before:rounded-[2px] before:bg-line-strong before:opacity-60 motion-safe:transition-[translate,opacity] motion-safe:duration-(--slow) motion-safe:starting:translate-y-6 motion-safe:starting:opacity-0 sm:m-auto sm:max-h-[calc(100dvh-48px)] sm:w-[calc(100%-48px)] sm:rounded-panel sm:before:content-none ${small ? 'sm:max-w-[448px]' : wide ? 'sm:max-w-[920px]' : 'sm:max-w-[640px]'}`}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose?.()
      }}
      onMouseDown={(event) => {
        pressedOutside.current = event.target === event.currentTarget
      }}
      onClick={(event) => {
        if (pressedOutside.current && event.target === event.currentTarget) onClose?.()
      }}
    >
      <div className="flex items-center justify-between gap-4 pt-6 pr-3 pb-3 pl-5 sm:pr-4 sm:pl-8">
        <h2 id={id} tabIndex={-1} className={`min-w-0 [overflow-wrap:anywhere] ${small ? 't22' : 't28'}`}>
          {title}
        </h2>
        {onClose && <IconButton label={say('Close')} icon="x" iconSize={24} onClick={onClose} />}
      </div>
      <div
        ref={body}
        role="group"
        aria-labelledby={id}
        className="stack min-h-0 flex-1 content-start gap-6 overflow-auto overscroll-contain px-5 pt-2 pb-6 focus-visible:-outline-offset-3 sm:px-8"
      >
        {children}
      </div>
      {(foot || keeps) && (
        <div
          className={`grid gap-2 bg-card px-5 pb-[calc(16px+env(safe-area-inset-bottom))] sm:flex sm:flex-row-reverse sm:justify-start sm:gap-3 sm:px-8 sm:pb-6 ${small ? '' : 'border-t border-line pt-3 sm:pt-4'}`}
        >
          {foot}
          {keeps && (
            <Button variant={foot ? 'text' : 'primary'} onClick={onClose}>
              {keeps}
            </Button>
          )}
        </div>
      )}
    </dialog>
  )
}
