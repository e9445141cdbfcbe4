import { useRef, useState, type ComponentProps, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { useId } from './id.ts'
import { Link } from './link.tsx'

type Opener = {
  ref: Ref<HTMLButtonElement>
  type: 'button'
  popoverTarget: string
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
}

type MenuProps = {
  label: string
  /** Renders the button that opens the menu: spread the given props. */
  renderOpener: (props: Opener) => ReactNode
  children: ReactNode
}

/** A menu over the page, for pages with scripts. The browser's popover closes it on Escape and on a press elsewhere. */
export function Menu({ label, renderOpener, children }: MenuProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const items = () =>
    [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])].filter((item) =>
      item.checkVisibility(),
    )

  const place = () => {
    const edge = opener.current?.getBoundingClientRect()
    if (!edge || !menu.current) return
    const { clientWidth, clientHeight } = document.documentElement
    const above = clientHeight - edge.bottom < 240 && edge.top > clientHeight - edge.bottom
    menu.current.style.inset = [
      above ? 'auto' : `${edge.bottom + 4}px`,
      `${Math.max(8, clientWidth - edge.right)}px`,
      above ? `${clientHeight - edge.top + 4}px` : 'auto',
      'auto',
    ].join(' ')
  }
  const close = () => menu.current?.hidePopover()
  const press = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      all.at(next % all.length)?.focus()
    } else if (event.key === 'Tab') close()
  }

  return (
    <>
      {renderOpener({
        ref: opener,
        type: 'button',
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
      })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="fixed m-0 max-h-[calc(100dvh-80px)] min-w-62 overflow-auto rounded-card border border-line bg-card p-2 text-ink shadow-float"
        onBeforeToggle={(event) => {
          if (event.newState === 'open') place()
        }}
        onToggle={(event) => {
          const opened = event.newState === 'open'
          setOpen(opened)
          if (!opened) return
          items()[0]?.focus()
          // It's positioned once, so it closes when the page scrolls.
          window.addEventListener('scroll', close, { once: true, passive: true })
        }}
        onKeyDown={press}
        // Closes before the item acts, so that a dialog opened by the item returns the focus to the opener.
        onClickCapture={close}
      >
        {children}
      </div>
    </>
  )
}

const itemLook =
  'flex min-h-11 w-full items-center gap-3 rounded-small px-3 py-2 text-left leading-snug text-ink no-underline hover:bg-green-soft hover:text-green-soft-ink focus:bg-green-soft focus:text-green-soft-ink focus-visible:-outline-offset-3 [&>svg]:text-ink-soft'

export const MenuLink = ({ icon, children, ...rest }: ComponentProps<'a'> & { icon?: IconName }) => (
  <Link {...rest} role="menuitem" tabIndex={-1} className={itemLook}>
    {icon && <Icon name={icon} />}
    {children}
  </Link>
)

export const MenuButton = ({ icon, children, ...rest }: ComponentProps<'button'> & { icon?: IconName }) => (
  <button type="button" {...rest} role="menuitem" tabIndex={-1} className={itemLook}>
    {icon && <Icon name={icon} />}
    {children}
  </button>
)

export const MenuRule = () => <hr className="mx-3 my-2 border-line" />
