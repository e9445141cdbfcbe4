import { useSite } from '../lib/site.ts'

/** Filled while a vet is on duty, amber while none is. Pages that don't know have no dot. */
export function LiveDot() {
  const { queue } = useSite()
  if (!queue) return null
  const isOn = queue.open && queue.on_duty
  return (
    <span
      aria-hidden="true"
      className={`size-2 flex-none rounded-full ring-4 ${isOn ? 'bg-green ring-green-soft' : 'bg-amber ring-amber-soft'}`}
    />
  )
}
