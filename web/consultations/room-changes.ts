import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { consultationChanged, getConsultation } from '#contract/consultations.ts'
import { HERE_SECONDS, lookAt, someoneMoved } from '#contract/queue.ts'
import { listen, together } from '../ui/listen.ts'
import { ask, on, onConnection } from '../lib/live.ts'

/** Fetches again when a vet joins or the consult ends, and whenever the page joins the room, for missed changes. */
export function useRoomChanges(id: number, joins: number) {
  const client = useQueryClient()
  const look = useEffectEvent(() => void client.invalidateQueries({ queryKey: [getConsultation.path] }))
  useEffect(() => {
    if (joins > 0) look()
  }, [joins])
  useEffect(() => {
    const heard = ({ consultation }: { consultation: number }) => consultation === id && look()
    return together(on(consultationChanged, heard), on(someoneMoved, heard))
  }, [id])
}

/**
 * Tells the other side whether this page is showing a consult; null means none. A vet in another tab counts as away;
 * an owner may only have looked something up.
 */
export function usePresence(consultation: number | null, isOpen: boolean, isVet = false) {
  useEffect(() => {
    if (!isOpen) return
    const tell = (here: boolean) => void ask(lookAt, { consultation, here }).catch(() => {})
    const shown = () => {
      const here = document.visibilityState === 'visible' && consultation !== null
      if (here || isVet) tell(here)
    }
    const left = () => tell(false)
    const timer = setInterval(shown, HERE_SECONDS * 1000)
    shown()
    return together(
      onConnection((isUp) => isUp && shown()),
      listen(document, 'visibilitychange', shown),
      listen(window, 'pagehide', left),
      // Another tab of the same owner may have left.
      on(someoneMoved, (moved) => !isVet && moved.consultation === consultation && shown()),
      () => clearInterval(timer),
    )
  }, [consultation, isOpen, isVet])
}
