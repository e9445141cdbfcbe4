import { useEffect } from 'react'
import { choose } from '../lib/session.ts'

/** Shows nothing itself: it makes the announcement's Close button work. */
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
