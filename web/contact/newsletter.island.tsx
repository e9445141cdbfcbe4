import { type ComponentType, useEffect, useState } from 'react'
import { asksConsent } from '../lib/analytics.ts'
import { choices, choose } from '../lib/session.ts'

const WAITS_MS = 30_000
/** While one of these is open, the form waits. */
const IN_THE_WAY = 'dialog[open], [data-consent]'

const halfWayDown = () => scrollY + innerHeight >= document.documentElement.scrollHeight / 2

/** Opens once per browser, after half a minute and halfway down the page. */
export default function Newsletter() {
  const [Form, setForm] = useState<ComponentType<{ onClose: () => void }> | null>(null)

  useEffect(() => {
    if (choices()['newsletter']) return
    let stayed = false
    const look = () => {
      if (!stayed || !halfWayDown() || choices()['newsletter']) return
      if (asksConsent() || document.querySelector(IN_THE_WAY)) return
      stop()
      void import('./newsletter-form.tsx').then(
        ({ default: Form }) => {
          choose({ newsletter: true })
          setForm(() => Form)
        },
        // There's no connection, so another page will ask.
        () => {},
      )
    }
    const timer = setTimeout(() => {
      stayed = true
      look()
    }, WAITS_MS)
    addEventListener('scroll', look, { passive: true })
    const stop = () => {
      clearTimeout(timer)
      removeEventListener('scroll', look)
    }
    return stop
  }, [])

  return Form && <Form onClose={() => setForm(null)} />
}
