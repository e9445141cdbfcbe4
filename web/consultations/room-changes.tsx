import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { consultationChanged, getConsultation } from '#contract/consultations.ts'

/** Looks again when something of a consultation changed: a vet joined, it ended. The socket comes when the page stands. */
export function useRoomChanges(id: number) {
  const client = useQueryClient()
  useEffect(() => {
    let left = false
    let stops: (() => void)[] = []
    const look = () => void client.invalidateQueries({ queryKey: [getConsultation.path] })
    void import('../lib/live.ts').then(({ on, onReturn }) => {
      if (left) return
      stops = [on(consultationChanged, ({ consultation }) => consultation === id && look()), onReturn(look)]
    })
    return () => {
      left = true
      stops.forEach((stop) => stop())
    }
  }, [client, id])
}
