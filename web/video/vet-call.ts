import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../lib/api.ts'
import { usePageAddress } from '../lib/page-address.tsx'
import { say } from '../ui/say.ts'
import type { CallStore } from './call-store.ts'
import { getWhatThereIs, troubleOf, wasIn } from './media.ts'
import { readCall } from './queries.ts'

const load = () => Promise.all([import('./call.tsx'), import('./call-store.ts'), import('./call-sound.tsx')])
type Loaded = Awaited<ReturnType<typeof load>>

const CALL = '#call'

export interface VetCall {
  consultation: number
  store: CallStore
  Call: Loaded[0]['Call']
  CallSound: Loaded[2]['CallSound']
}

/** The vet's calls: one at a time, whichever case is shown. `id` is the case in the address. */
export function useVetCall(id: number, tell: (says: string) => void) {
  const { pathname, search, hash } = usePageAddress()
  const mayUseCamera = pathname.startsWith('/video-chat/')
  const [call, setCall] = useState<VetCall>()
  const [starting, setStarting] = useState(false)

  async function begin(consultation: number, known?: number, isOff = false) {
    setStarting(true)
    try {
      const [[{ Call }, { openCallStore }, { CallSound }], media] = await Promise.all([
        load(),
        getWhatThereIs({}, isOff),
      ])
      const store = openCallStore({ consultation, side: 'vet', media, wanted: {}, soundOnly: false, known })
      store.subscribe(() => {
        const { phase, refusal } = store.state()
        if (!['over', 'moved', 'refused'].includes(phase)) return
        setCall((now) => (now?.store === store ? undefined : now))
        if (phase === 'moved') tell(say('The call moved to your other window.'))
        if (phase === 'refused') tell(refusal)
      })
      // A vet who is typing continues in the call's chat.
      if (document.activeElement?.matches('#talk textarea')) store.showChat(true)
      setCall({ consultation, store, Call, CallSound })
    } catch (error) {
      tell(
        troubleOf(error) === 'refused'
          ? say('Allow camera and microphone beside the web address, then ring again.')
          : say('We couldn’t start your microphone. Check that it’s connected, then ring again.'),
      )
    }
    setStarting(false)
  }

  const arrive = useEffectEvent(async () => {
    if (!mayUseCamera) return
    if (hash === CALL) {
      history.replaceState(history.state, '', pathname + search)
      return begin(id)
    }
    const was = wasIn()
    if (was === undefined) return
    try {
      const { call } = await readCall(was.consultation)
      if (call) await begin(was.consultation, call.id, !was.camera)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  })
  useEffect(() => {
    // Delayed, so that a page that React mounts twice at first rings only once.
    const timer = setTimeout(() => void arrive())
    return () => clearTimeout(timer)
  }, [])
  const stop = useEffectEvent(() => call?.store.stop())
  useEffect(() => () => stop(), [])

  return {
    call,
    starting,
    start() {
      if (starting || call?.consultation === id) return
      if (call) return tell(say('You’re in a call. Leave it before you start another.'))
      // Only some pages may use the camera.
      if (mayUseCamera) void begin(id)
      else location.assign(`/video-chat/${id}${search}${CALL}`)
    },
  }
}
