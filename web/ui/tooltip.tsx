import { cloneElement, useLayoutEffect, useRef, useState, type ReactElement } from 'react'
import { useId } from './id.ts'

/** A few words on hover and focus, for an element that already has a name. Escape closes it; the pointer may enter. */
export function Tooltip({
  words,
  children,
}: {
  words: string
  children: ReactElement<{ 'aria-describedby'?: string }>
}) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const tip = useRef<HTMLSpanElement>(null)

  // Moves inwards near an edge of the page.
  useLayoutEffect(() => {
    if (!open || !tip.current) return
    tip.current.style.marginLeft = ''
    const { left, right } = tip.current.getBoundingClientRect()
    const over = Math.max(0, right + 8 - document.documentElement.clientWidth)
    tip.current.style.marginLeft = `${left < 8 ? 8 - left : -over}px`
  }, [open])

  return (
    <span
      className="relative inline-flex"
      onMouseEnter={() => setOpen(true)}
      onMouseLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) {
          event.preventDefault()
          setOpen(false)
        }
      }}
    >
      {cloneElement(children, { 'aria-describedby': id })}
      <span
        ref={tip}
        role="tooltip"
        id={id}
        hidden={!open}
        className="absolute bottom-full left-1/2 z-10 w-max max-w-[min(15rem,calc(100vw-40px))] -translate-x-1/2 pb-2"
      >
        <span className="block rounded-small bg-ink px-3 py-2 text-14 text-paper shadow-float">{words}</span>
      </span>
    </span>
  )
}
