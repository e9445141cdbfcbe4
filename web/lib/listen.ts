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
