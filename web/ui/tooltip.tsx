import { cloneElement, useId, useState, type ReactElement } from 'react'

/** A few words on hover and focus, for what has its name already. Escape puts it away; the pointer may enter it. */
export function Tooltip({
  words,
  children,
}: {
  words: string
  children: ReactElement<{ 'aria-describedby'?: string }>
}) {
  const id = useId()
  const [open, setOpen] = useState(false)
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
        role="tooltip"
        id={id}
        className={`absolute bottom-full left-1/2 z-10 w-max max-w-60 -translate-x-1/2 pb-2 ${open ? '' : 'invisible'}`}
      >
        <span className="block rounded-small bg-ink px-3 py-2 text-14 text-paper shadow-float">{words}</span>
      </span>
    </span>
  )
}
