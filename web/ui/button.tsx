import { useEffect, useRef, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { useBrowserValue } from './browser-value.ts'
import { Icon, type IconName } from './icon.tsx'
import { useId } from './id.ts'
import { Link } from './link.tsx'
import { say } from './say.ts'
import { Spinner } from './spinner.tsx'

const variants = {
  primary: 'border-transparent bg-green text-on-green hover:bg-green-hover',
  urgent: 'border-transparent bg-coral-fill text-on-coral hover:bg-coral-hover',
  'urgent-soft': 'border-transparent bg-coral-soft text-coral-soft-ink hover:bg-coral-soft-hover',
  soft: 'border-transparent bg-green-soft text-green-soft-ink hover:bg-green-soft-hover',
  line: 'border-line-strong bg-card text-ink hover:border-green hover:bg-green-soft hover:text-green',
  text: 'border-transparent text-green hover:bg-green-soft hover:text-green-soft-ink',
  danger: 'border-transparent bg-red text-on-red hover:bg-red-hover',
  'danger-line':
    'border-line-strong bg-card text-red hover:border-red hover:bg-red-soft hover:text-red-soft-ink',
  night: 'border-transparent bg-night-fill text-on-night-fill hover:bg-green-soft hover:text-green-soft-ink',
}
/**
 * 36 is for staff pages, but 44 high on touch screens; its corners are small, like those of the tables around it. The
 * radius of the others is half the height of one line, so that they don't cut into three lines of text.
 */
const heights = {
  36: 'min-h-9 rounded-small py-1 text-14 pointer-coarse:min-h-11',
  44: 'min-h-11 rounded-[1.375rem] py-2',
  48: 'min-h-12 rounded-[1.5rem] py-[10px]',
  56: 'min-h-14 rounded-[1.75rem] py-3 text-18',
}
const paddings = { 36: 'px-3', 44: 'px-[18px]', 48: 'px-6', 56: 'px-7' }

type Look = { variant?: keyof typeof variants; size?: keyof typeof heights; wide?: boolean }

/** The button's look, for an element that isn't ours. */
export function buttonLook({ variant = 'line', size = 48, wide = false }: Look = {}) {
  return [
    'inline-flex items-center justify-center gap-2 border text-center leading-[1.25] font-semi tracking-[-0.005em] no-underline transition-colors',
    'active:translate-y-px',
    'disabled:cursor-progress disabled:opacity-60 disabled:active:translate-y-0',
    'aria-disabled:translate-y-0 aria-disabled:cursor-not-allowed aria-disabled:border-transparent aria-disabled:bg-line aria-disabled:text-ink-soft',
    variants[variant],
    heights[size],
    variant === 'text' ? 'px-3' : paddings[size],
    wide ? 'w-full' : '',
  ].join(' ')
}

/** On a slow phone, the second press of a double tap arrives before the page shows the first one. */
const DOUBLE_TAP_MS = 500

type ButtonProps = ComponentProps<'button'> &
  Look & {
    icon?: IconName
    /**
     * Pass false while idle: the button then has room for the busy label and never changes its width. It can't be pressed
     * before the page's script runs: submitting the form would leave the page and lose the draft.
     */
    busy?: boolean
    busyLabel?: string
    /** Why it can't be pressed now, shown below the button, which can still be focused. */
    off?: ReactNode
  }

export function Button({
  variant,
  size,
  wide,
  icon,
  busy,
  busyLabel = say('Saving…'),
  className = '',
  children,
  onClick,
  ...given
}: ButtonProps) {
  const { off, ...rest } = given
  const reason = useId()
  const runs = useBrowserValue(
    () => true,
    () => false,
  )
  const asks = busy !== undefined
  const pressed = useRef(-DOUBLE_TAP_MS)
  const free = () => void (pressed.current = -DOUBLE_TAP_MS)
  // A response has arrived, or the button's label has changed.
  useEffect(free, [busy, children])
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    const again = asks && event.timeStamp - pressed.current < DOUBLE_TAP_MS
    if (busy || off || again) return event.preventDefault()
    pressed.current = event.timeStamp
    onClick?.(event)
  }
  const words = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  )
  const button = (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || (asks && !runs)}
      className={`${buttonLook({ variant, size, wide })} ${className}`}
      aria-busy={busy || undefined}
      aria-disabled={off ? true : rest['aria-disabled']}
      aria-describedby={off ? reason : rest['aria-describedby']}
      onClick={press}
      onBlur={(event) => {
        free()
        rest.onBlur?.(event)
      }}
    >
      {busy === undefined ? (
        words
      ) : (
        <span className="grid place-items-center *:col-start-1 *:row-start-1 *:inline-flex *:items-center *:gap-2">
          <span className={busy ? 'invisible' : ''}>{words}</span>
          <span className={busy ? '' : 'invisible'}>
            <Spinner />
            {busyLabel}
          </span>
        </span>
      )}
    </button>
  )
  // The button is always wrapped if it can be off, because wrapping it later would lose the focus.
  if (!('off' in given)) return button
  return (
    <span className={`stack gap-2 ${wide ? 'w-full' : 'inline-grid'}`}>
      {button}
      {off && (
        <span id={reason} className="text-center text-14 text-ink-soft">
          {off}
        </span>
      )}
    </span>
  )
}

type LinkButtonProps = ComponentProps<'a'> & Look & { href: string; icon?: IconName }

export const LinkButton = ({
  variant,
  size,
  wide,
  icon,
  className = '',
  children,
  ...rest
}: LinkButtonProps) => (
  <Link {...rest} className={`${buttonLook({ variant, size, wide })} ${className}`}>
    {icon && <Icon name={icon} />}
    {children}
  </Link>
)
