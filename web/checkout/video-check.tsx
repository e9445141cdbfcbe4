import { useEffect, useRef, useState } from 'react'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { replaceAddress, usePageAddress } from '../lib/page-address.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { LateDialog } from '../ui/late-dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import type { ConsultType, PurchaseForm } from './purchase-rules.ts'

/** Writes the chosen type into the address and leaves the rest of the address as it is. */
export function useConsultType() {
  const { pathname, search, hash } = usePageAddress()
  const type: ConsultType = /^\/video-/i.test(pathname) ? CONSULT_TYPES.video : CONSULT_TYPES.text
  const change = (to: ConsultType) =>
    replaceAddress(
      pathname.replace(/^\/\w+-/, to === CONSULT_TYPES.video ? '/video-' : '/chat-') + search + hash,
    )
  return [type, change] as const
}

/** Loaded only for people who choose video. */
const load = () => import('../video/device-check.tsx')

/** Checks once, before a video consult, whether camera and microphone work. */
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
  const [part, setPart] = useState<Awaited<ReturnType<typeof load>>>()
  const checked = form.hook.watch('camera')
  const { setValue } = form.hook
  const again = useRef<HTMLButtonElement>(null)
  useFocusAfter(open, () => again.current ?? document.querySelector<HTMLElement>('[name=type]:checked'))

  useEffect(() => {
    if (type !== CONSULT_TYPES.video || checked) return
    let left = false
    // Meanwhile the draft is restored, and may say that the check was already done.
    load().then(
      (loaded) => {
        if (left) return
        setPart(loaded)
        setOpen(true)
      },
      () => {},
    )
    return () => void (left = true)
  }, [type, checked])

  if (type !== CONSULT_TYPES.video) return null
  const close = () => {
    setOpen(false)
    setValue('camera', true)
  }
  const check = ({ DeviceCheck }: Awaited<ReturnType<typeof load>>) => (
    <DeviceCheck
      onClose={close}
      onContinue={({ stream }) => {
        for (const track of stream?.getTracks() ?? []) track.stop()
        close()
      }}
      onText={() => {
        close()
        onText()
      }}
    />
  )
  return (
    <>
      <button
        ref={again}
        type="button"
        className="-my-2 inline-flex min-h-11 items-center gap-2 justify-self-start font-semi text-green underline underline-offset-4"
        onClick={() => setOpen(true)}
      >
        <Icon name="camera" size={16} />
        {say('Check camera and sound')}
      </button>
      {open &&
        (part ? (
          check(part)
        ) : (
          <LateDialog load={load} title={say('Create Video')} onClose={close}>
            {check}
          </LateDialog>
        ))}
    </>
  )
}
