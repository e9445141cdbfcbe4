/** Listens to these events, named with spaces between them, until the returned function is called. */
export function listen<E extends Event>(
  target: EventTarget,
  events: string,
  hear: (event: E) => void,
  options?: AddEventListenerOptions,
) {
  const stop = new AbortController()
  for (const one of events.split(' '))
    target.addEventListener(one, hear as EventListener, { ...options, signal: stop.signal })
  return () => stop.abort()
}

/** One function that calls all of these, such as what stops several listeners. */
export const together =
  (...all: (() => void)[]) =>
  () =>
    all.forEach((one) => one())

/** For what has no events of its own: tells each subscriber until they call the function that they got. */
export function subscribers() {
  const all = new Set<() => void>()
  return {
    subscribe(hear: () => void) {
      all.add(hear)
      return () => void all.delete(hear)
    },
    tell: () => all.forEach((hear) => hear()),
  }
}
