import { useEffect } from 'react'

/**
 * The header's menus are <details>. This closes them on Escape, on a press elsewhere, when a link is followed, and
 * when the focus leaves, because the menu would cover the focused element.
 */
export default function Menus() {
  useEffect(() => {
    const open = () => document.querySelectorAll<HTMLDetailsElement>('header details[open]')
    const press = ({ target }: Event) => {
      for (const menu of open())
        if (!menu.contains(target as Node) || (target as Element).closest('a')) menu.open = false
    }
    const focus = ({ target }: Event) => {
      for (const menu of open()) if (!menu.contains(target as Node)) menu.open = false
    }
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      for (const menu of open()) {
        menu.open = false
        menu.querySelector('summary')?.focus()
      }
    }
    document.addEventListener('click', press)
    document.addEventListener('focusin', focus)
    document.addEventListener('keydown', key)
    return () => {
      document.removeEventListener('click', press)
      document.removeEventListener('focusin', focus)
      document.removeEventListener('keydown', key)
    }
  }, [])
  return null
}
