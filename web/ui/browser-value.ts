import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** A value that only the browser knows. The server, and hydration at first, render the page with the other value. */
export const useBrowserValue = <T>(inBrowser: () => T, onServer: () => T): T =>
  useSyncExternalStore(never, inBrowser, onServer)
