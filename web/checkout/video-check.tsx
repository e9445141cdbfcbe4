import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { LateDialog } from '../ui/late-dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import type { PurchaseForm } from './buying-form.tsx'
import { type ConsultType, TEXT, VIDEO } from './purchase-typed.tsx'

/** The type is in the address, which follows the choice; whatever else is in it stays. */
export function useConsultType() {
  const { pathname } = useLocation()
  const [type, setType] = useState<ConsultType>(/^\/video-/i.test(pathname) ? VIDEO : TEXT)
  function change(to: ConsultType) {
    const path = location.pathname.replace(/^\/\w+-/, to === VIDEO ? '/video-' : '/chat-')
    // Not by the router: for it this would be another page, without what was typed into the card.
    history.replaceState(history.state, '', path + location.search + location.hash)
    setType(to)
  }
  return [type, change] as const
}

/** Cameras are the business of those who choose video alone. */
const load = () => import('./camera-check.tsx')

/** Video first looks whether camera and microphone work, once. */
export function VideoCheck({
  form,
  type,
  onText,
}: {
  form: PurchaseForm
  type: ConsultType
  onText: () => void
}) {
  const [open, setOpen] = useState(false)
  const checked = form.hook.watch('camera')
  const { setValue } = form.hook

  useEffect(() => {
    if (type !== VIDEO || checked) return
    // A draft that says it was done before comes first.
    const frame = requestAnimationFrame(() => setOpen(true))
    return () => cancelAnimationFrame(frame)
  }, [type, checked])

  if (type !== VIDEO) return null
  const close = () => {
    setOpen(false)
    setValue('camera', true, { shouldDirty: true })
  }
  return (
    <>
      <button
        type="button"
        className="-my-2 inline-flex min-h-11 items-center gap-2 justify-self-start font-semi text-green underline underline-offset-4"
        onClick={() => setOpen(true)}
      >
        <Icon name="camera" size={16} />
        Check camera and sound
      </button>
      {open && (
        <LateDialog load={load} title="Create Video" onClose={close}>
          {({ CameraCheck }) => (
            <CameraCheck
              onClose={close}
              onText={() => {
                close()
                onText()
              }}
            />
          )}
        </LateDialog>
      )}
    </>
  )
}
