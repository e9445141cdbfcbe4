import { useSyncExternalStore } from 'react'

/* A clinic's session lives in this tab alone, apart from a person's. */

const TOKEN = 'clinicToken'

const listeners = new Set<() => void>()
const changed = () => listeners.forEach((listener) => listener())

/** Why somebody who was signed in isn't any more; said once, above the form. */
let ended = false

export const clinicToken = () => sessionStorage.getItem(TOKEN) ?? undefined

export function keepClinicToken(token: string) {
  sessionStorage.setItem(TOKEN, token)
  ended = false
  changed()
}

/** `byServer`: it doesn't accept the token any more. */
export function forgetClinicToken(byServer = false) {
  if (!clinicToken()) return
  sessionStorage.removeItem(TOKEN)
  ended = byServer
  changed()
}

const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const state = () => (clinicToken() ? 'in' : ended ? 'ended' : 'out')

/** 'unknown' on the server and until the page runs. */
export function useClinicSession(): 'unknown' | 'in' | 'out' | 'ended' {
  return useSyncExternalStore(watch, state, () => 'unknown')
}
