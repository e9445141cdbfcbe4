import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { consultationChanged, getConsultation } from '#contract/consultations.ts'

/** Looks again when something of a consultation changed: a vet joined, it ended; and at each joining, for what was not heard. */
export function useRoomChanges(id: number, joins: number) {
  const client = useQueryClient()
  const look = useEffectEvent(() => void client.invalidateQueries({ queryKey: [getConsultation.path] }))
  useEffect(() => {
    if (joins > 0) look()
  }, [joins])
  useEffect(() => {
    let left = false
    let stop = () => {}
    void import('../lib/live.ts').then(({ on }) => {
      if (left) return
      stop = on(consultationChanged, ({ consultation }) => consultation === id && look())
    })
    return () => {
      left = true
      stop()
    }
  }, [id])
}
