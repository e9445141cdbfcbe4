import { useEffect } from 'react'
import { choose } from '../lib/session.ts'

/** Shows nothing: it lets the line above the page be closed, for good. */
export default function AnnouncementClose() {
  useEffect(() => {
    const button = document.querySelector('[data-dismiss]')
    const close = () => {
      const root = document.documentElement
      choose({ told: root.dataset['announcement'] })
      root.toggleAttribute('data-told', true)
    }
    button?.addEventListener('click', close)
    return () => button?.removeEventListener('click', close)
  }, [])
  return null
}
