import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { listen } from './listen.ts'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { say, sayLines } from './say.ts'

type Kind = 'done' | 'info' | 'failed'
type Alert = { message: string; kind: Kind; advice: string | undefined; serial: number }
/** `advice` says what to do about a failure, on a separate line. */
type Show = (message: string, kind?: Kind, advice?: string) => void

const AlertContext = createContext<{ show: Show }>({ show: () => {} })

export const useAlert = () => useContext(AlertContext)

const icons = { done: 'circle-check', info: 'info', failed: 'circle-alert' } as const
const stays = 6000

/** Provides the page's one alert bar, which shows the newest message. */
export function AlertProvider({ children }: { children: ReactNode }) {
  const [alert, setAlert] = useState<Alert | null>(null)
  const serial = useRef(0)
  const value = useMemo(
    () => ({
      show: (message: string, kind: Kind = 'done', advice?: string) =>
        setAlert({ message, kind, advice, serial: ++serial.current }),
    }),
    [],
  )
  const close = useCallback(() => setAlert(null), [])
  const place = useRef<HTMLDivElement>(null)
  // On a phone a form's button may be where the bar would be.
  useLayoutEffect(() => {
    const bar = place.current!
    delete bar.dataset['high']
    if (alert && coversSubmit(bar)) bar.dataset['high'] = ''
  }, [alert])
  const polite = alert && alert.kind !== 'failed'
  const bar = alert && <AlertBar key={alert.serial} alert={alert} onClose={close} />
  return (
    <AlertContext.Provider value={value}>
      {children}
      {/* Never covers the text box or a form's buttons. Screen readers often skip a region added with its text. */}
      <div
        ref={place}
        className="pointer-events-none fixed inset-x-(--gutter) bottom-[calc(var(--gutter)+env(safe-area-inset-bottom))] z-50 grid justify-items-center [html:has([data-composer])_&]:top-34 [html:has([data-composer])_&]:bottom-auto sm:[html:has([data-foot])_&]:bottom-32 data-high:top-18 data-high:bottom-auto!"
      >
        <div role="status">{polite && bar}</div>
        <div role="alert">{!polite && bar}</div>
      </div>
    </AlertContext.Provider>
  )
}

function coversSubmit(bar: HTMLElement) {
  const { top, bottom } = bar.getBoundingClientRect()
  return [...document.querySelectorAll('[type=submit]')].some((button) => {
    const one = button.getBoundingClientRect()
    return one.height > 0 && one.bottom > top && one.top < bottom
  })
}

function AlertBar({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const before = useRef<HTMLElement | null>(null)

  useEffect(() => {
    if (hovered || focused) return
    const timer = setTimeout(onClose, stays)
    return () => clearTimeout(timer)
  }, [hovered, focused, onClose])
  // Once another form is sent, it would be taken for that form's answer.
  useEffect(() => listen(window, 'submit', onClose, { capture: true }), [onClose])

  return (
    <div
      data-alert
      className="pointer-events-auto flex max-w-[480px] items-center gap-3 rounded-card bg-ink py-3 pr-2 pl-4 text-paper shadow-float motion-safe:transition-[translate,opacity] motion-safe:starting:translate-y-2 motion-safe:starting:opacity-0 [&_:focus-visible]:outline-paper"
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={(event) => {
        before.current ??= event.relatedTarget as HTMLElement | null
        setFocused(true)
      }}
      onBlur={() => setFocused(false)}
    >
      <Icon name={icons[alert.kind]} />
      <div className="min-w-0">
        <p className="whitespace-pre-line">{sayLines(alert.message)}</p>
        {alert.advice && <p>{alert.advice}</p>}
      </div>
      <IconButton
        label={say('Close')}
        icon="x"
        className="ml-auto hover:bg-line-strong/35 hover:text-inherit"
        onClick={() => {
          before.current?.focus()
          onClose()
        }}
      />
    </div>
  )
}
