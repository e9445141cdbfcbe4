import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { openTalk, OPENING, type Side, type Talk } from './talk.tsx'

/** Open for as long as somebody listens. */
function heldTalk(of: { consultation: number; me: number; side: Side }) {
  let talk: Talk | undefined
  return {
    subscribe(listener: () => void) {
      const opened = openTalk(of)
      talk = opened
      const stop = opened.subscribe(listener)
      return () => {
        stop()
        opened.close()
        if (talk === opened) talk = undefined
      }
    },
    state: () => talk?.state() ?? OPENING,
    talk: () => talk,
  }
}

const never = () => () => {}
const opening = () => OPENING

/** A conversation for as long as the page shows it. `me` is whose words are one's own, once that is known. */
export function useConversation(consultation: number, { me, side }: { me: number | undefined; side: Side }) {
  const held = useMemo(
    () => (me === undefined ? undefined : heldTalk({ consultation, me, side })),
    [consultation, me, side],
  )
  const state = useSyncExternalStore(held?.subscribe ?? never, held?.state ?? opening, opening)
  return { consultation, talk: held?.talk(), ...state }
}

export type Conversing = ReturnType<typeof useConversation>

const keyOf = (consultation: number) => `draft:room:${consultation}`
const writers = new Set<() => void>()
const whenWritten = (listener: () => void) => {
  writers.add(listener)
  return () => void writers.delete(listener)
}

/** What is being written in a conversation. It outlives a reload. */
export function useDraft(consultation: number) {
  const words = useSyncExternalStore(
    whenWritten,
    () => sessionStorage.getItem(keyOf(consultation)) ?? '',
    () => '',
  )
  const write = useCallback(
    (next: string) => {
      if (next) sessionStorage.setItem(keyOf(consultation), next)
      else sessionStorage.removeItem(keyOf(consultation))
      for (const listener of writers) listener()
    },
    [consultation],
  )
  return { words, write }
}

export type Draft = ReturnType<typeof useDraft>
