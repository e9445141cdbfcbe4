import { useEffect, useState } from 'react'
import { say } from '../ui/say.ts'

const APPEARS_AFTER = 300
/** It leaves the words below it to somebody who reads, and comes back with the next scroll. */
const RESTS_AFTER_MS = 20_000

export default function ScrollTop() {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    let timer = 0
    const look = () => {
      setShown(scrollY > APPEARS_AFTER)
      clearTimeout(timer)
      timer = setTimeout(setShown, RESTS_AFTER_MS, false) as unknown as number
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
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
    })
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <button
      type="button"
      aria-label={say('Back to the top')}
      hidden={!shown}
      onClick={rise}
      className="fixed right-4 bottom-4 z-10 grid print:hidden size-12 place-items-center rounded-full border border-line bg-card text-ink shadow-float hover:bg-green-soft hover:text-green-soft-ink focus-visible:rounded-full"
    >
      {/* Not an <Icon>: this would bring every drawing to every public page. */}
      <svg
        width={24}
        height={24}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        aria-hidden="true"
      >
        <path d="M5 12l7-7 7 7M12 19V5" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </button>
  )
}
