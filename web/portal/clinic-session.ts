import { useSyncExternalStore } from 'react'
import { subscribers } from '../ui/listen.ts'

/* A clinic's session exists in this tab only, separate from a person's. */

const TOKEN = 'clinicToken'

const { subscribe, tell } = subscribers()

/** The token of the session that the server ended. The form says once why. */
let ended: string | undefined

export const clinicToken = () => sessionStorage.getItem(TOKEN) ?? undefined

export function keepClinicToken(token: string) {
  sessionStorage.setItem(TOKEN, token)
  ended = undefined
  tell()
}

/** With `byServer`, the server doesn't accept the token any more. */
export function forgetClinicToken(byServer = false) {
  const token = clinicToken()
  if (!token) return
  sessionStorage.removeItem(TOKEN)
  ended = byServer ? token : undefined
  tell()
}

export const endedToken = () => ended

const state = () => (clinicToken() ? 'in' : ended ? 'ended' : 'out')

/** 'unknown' on the server and until the page runs. */
export function useClinicSession(): 'unknown' | 'in' | 'out' | 'ended' {
  return useSyncExternalStore(subscribe, state, () => 'unknown')
}
