import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** What only the browser knows. The server renders the page with the other value, and so does hydration at first. */
export const useBrowserValue = <T>(inBrowser: () => T, onServer: () => T): T =>
  useSyncExternalStore(never, inBrowser, onServer)
