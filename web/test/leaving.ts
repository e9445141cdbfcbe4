import { onTestFinished } from 'vitest'

/** The addresses that the page left for. It stays where it is. */
export function watchLeaving(): string[] {
  const left: string[] = []
  const stay = (event: NavigateEvent) => {
    if (event.destination.sameDocument) return
    event.preventDefault()
    const { pathname, search } = new URL(event.destination.url)
    left.push(pathname + search)
  }
  navigation.addEventListener('navigate', stay)
  onTestFinished(() => navigation.removeEventListener('navigate', stay))
  return left
}
