import { useEffect, useRef, useState } from 'react'
import { say } from '../ui/say.ts'

const APPEARS_AFTER = 300
/** The button hides while somebody reads, so that it doesn't cover the text, and returns with the next scroll. */
const RESTS_AFTER_MS = 20_000

/** The button would cover most of a control narrower than this. */
const NARROW = 192

/** Whether the button would cover a part of a small control, tested at its corners, which miss none. */
const covers = (button: Node | null) =>
  [20, 60].some((x) =>
    [20, 60].some((y) =>
      document
        .elementsFromPoint(document.body.clientWidth - x, innerHeight - y)
        .some((one) => one !== button && one.matches('a,button,summary,[name]') && one.clientWidth < NARROW),
    ),
  )

export default function ScrollTop() {
  const [shown, setShown] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    let timer = 0
    // Hiding the button would lose the focus.
    const show = (is: boolean) => setShown(is || document.activeElement === button.current)
    const look = () => {
      show(scrollY > APPEARS_AFTER && !covers(button.current))
      clearTimeout(timer)
      timer = setTimeout(show, RESTS_AFTER_MS, false) as unknown as number
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => {
      clearTimeout(timer)
      removeEventListener('scroll', look)
    }
  }, [])
  const rise = () => {
    scrollTo({
      top: 0,
      behavior: matchMedia('(prefers-reduced-motion)').matches ? 'instant' : 'smooth',
    })
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <button
      ref={button}
      type="button"
      aria-label={say('Back to the top')}
      hidden={!shown}
      onClick={rise}
      className="fixed right-4 bottom-4 z-10 grid print:hidden size-12 place-items-center rounded-full border border-line bg-card text-ink shadow-float hover:bg-green-soft hover:text-green-soft-ink focus-visible:rounded-full [html:has(#newsletter-title,[data-alert])_&]:hidden"
    >
      <svg width={24} height={24} viewBox="0 0 24 24" aria-hidden="true" className="drawn">
        <path d="M5 12l7-7 7 7M12 19V5" />
      </svg>
    </button>
  )
}
