import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { consultationChanged, getConsultation } from '#contract/consultations.ts'
import { on } from '../lib/live.ts'

/** Fetches again when a vet joined or the consult ended, and each time the page joins the room, for what it missed. */
export function useRoomChanges(id: number, joins: number) {
  const client = useQueryClient()
  const look = useEffectEvent(() => void client.invalidateQueries({ queryKey: [getConsultation.path] }))
  useEffect(() => {
    if (joins > 0) look()
  }, [joins])
  useEffect(() => on(consultationChanged, ({ consultation }) => consultation === id && look()), [id])
}
