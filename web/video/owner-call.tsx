import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { usePageAddress } from '../lib/page-address.tsx'
import { Button } from '../ui/button.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { Icon } from '../ui/icon.tsx'
import { useId } from '../ui/id.ts'
import { LateDialog } from '../ui/late-dialog.tsx'
import { LatePart } from '../ui/late-part.ts'
import { say } from '../ui/say.ts'
import type { CallProps } from './call-props.ts'
import type { CallStore } from './call-store.ts'
import { checked, getWhatThereIs, keepChecked, savesData, type Wanted, wasIn } from './media.ts'
import { answerCall, callQuery, keepCall, lookAgain, onCall } from './queries.ts'

/* Everything else loads when it's needed. */
const loadCall = () => Promise.all([import('./call.tsx'), import('./call-store.ts')])
const loadCheck = () => import('./device-check.tsx')
const loadRing = () => import('./ring.tsx')

/* What the page with the camera does when it opens. */
const ANSWER = '#answer'
const CHECK = '#check'

interface About {
  consultation: number
  pet: string
  /** A vet has the consult, and it hasn't ended. */
  isOpen: boolean
  /** The check opens when the page does. In an emergency it would hide what to do now. */
  opensCheck: boolean
  vet: number | null
  vetHere: boolean
  /** How often this page has joined the room. */
  joins: number
  onPhoto: (photo: File) => void
  onSay: (body: string) => void
  box: RefObject<HTMLTextAreaElement | null>
}

/** The owner's side of video in a room: the check, the ring, the call, and returning to it. */
export function useOwnerCall({
  consultation,
  pet,
  isOpen,
  opensCheck,
  vet,
  vetHere,
  joins,
  onPhoto,
  onSay,
  box,
}: About) {
  const client = useQueryClient()
  const { pathname, hash } = usePageAddress()
  const isHere = pathname.startsWith('/video-chat/')
  const { data } = useQuery({ ...callQuery(consultation), enabled: isOpen })
  const call = (isOpen && data?.call) || null
  const [checks, setChecks] = useState(false)
  const [running, setRunning] = useState<{
    store: CallStore
    Call: Awaited<ReturnType<typeof loadCall>>[0]['Call']
  }>()
  const [starting, setStarting] = useState(false)
  const [left, setLeft] = useState<'moved' | 'over'>()
  /** The check is done, and there was no call to join. */
  const [ready, setReady] = useState(false)

  const stop = useEffectEvent(() => running?.store.stop())
  useEffect(() => {
    // The next vet may ring before this page knows that they took the consult.
    const unhear = onCall(consultation, (call) => keepCall(client, consultation, call))
    return () => {
      unhear()
      // A call ends when its vet hands over or ends the consult.
      stop()
      void client.resetQueries({ queryKey: callQuery(consultation).queryKey })
    }
  }, [client, consultation, isOpen, vet])

  useEffect(() => {
    // The page missed a ring from before it joined.
    if (joins > 0) void lookAgain(client, consultation)
  }, [client, consultation, joins])

  const isRinging = call !== null && call.answered_at === null && !running && !starting
  useEffect(() => {
    if (isRinging && isHere) void loadCall().catch(() => {})
  }, [isRinging, isHere])

  const strip = useRef<HTMLDivElement>(null)
  useFocusAfter(
    running !== undefined || starting || checks || isRinging,
    () => strip.current?.querySelector('button') ?? box.current,
  )

  useFocusAfter(ready, () => box.current)

  async function enter(wanted: Wanted, soundOnly: boolean, stream?: MediaStream | null) {
    setStarting(true)
    setLeft(undefined)
    setReady(false)
    const was = wasIn()
    const isOff = was?.consultation === consultation && !was.camera
    try {
      const [[{ Call }, { openCallStore }], media] = await Promise.all([
        loadCall(),
        stream ?? getWhatThereIs(wanted, soundOnly || isOff),
      ])
      const store = openCallStore({ consultation, side: 'owner', media, wanted, soundOnly })
      store.subscribe(() => {
        const { phase } = store.state()
        if (phase !== 'over' && phase !== 'moved') return
        setRunning((now) => (now?.store === store ? undefined : now))
        setLeft(phase)
      })
      setRunning({ store, Call })
    } catch {
      setChecks(true)
    }
    setStarting(false)
  }
  function join() {
    const choice = checked()
    if (choice) void enter(choice, choice.soundOnly ?? savesData())
    else setChecks(true)
  }
  /** The server tells the others, and this page learns it from the response. */
  const reply = (comes: boolean) =>
    void answerCall({ consultation, comes }).then(
      ({ call }) => keepCall(client, consultation, call),
      () => {},
    )
  function answer() {
    // The vet sees that somebody is coming, however long the check takes.
    reply(true)
    if (isHere) join()
    else location.assign(`/video-chat/${consultation}${ANSWER}`)
  }

  /** For a page that was on its way to the call, or was in it when it was reloaded. */
  const arrive = useEffectEvent(() => {
    if (!isHere || running) return
    if (hash === ANSWER || hash === CHECK) history.replaceState(history.state, '', pathname)
    if (call && (hash === ANSWER || wasIn()?.consultation === consultation)) join()
    else if (hash === CHECK || (opensCheck && !checked())) setChecks(true)
  })
  const isKnown = data !== undefined || vet === null
  useEffect(() => {
    if (!isKnown) return
    // Delayed, so that a page that React mounts twice at first arrives only once.
    const timer = setTimeout(() => arrive())
    return () => clearTimeout(timer)
  }, [isKnown])

  const view =
    running &&
    ((shown: Omit<CallProps, 'store' | 'onText' | 'onPhoto'>) => (
      <running.Call {...shown} store={running.store} onPhoto={onPhoto} onText={() => running.store.leave()} />
    ))

  let banner: ReactNode
  if (isOpen && call?.answered_at && !running && !starting && !checks)
    banner = (
      <Strip
        part={strip}
        title={
          left === 'moved'
            ? say('The call moved to another device.')
            : vetHere
              ? say('{vet} is still in the call.', { vet: call.vet })
              : say('Your call is still open.')
        }
        button={left === 'moved' ? say('Bring it back here') : say('Come back to the call')}
        onPress={() => (isHere ? join() : location.assign(`/video-chat/${consultation}${ANSWER}`))}
      />
    )

  // Only the vet can ring.
  const asks = isOpen && data && !call && ready && !checks && (
    <Strip
      part={strip}
      title={say('You’re ready. Your vet can ring you here.')}
      button={say('Ask for a video call')}
      onPress={() => {
        onSay(say('I’m ready for a video call.'))
        setReady(false)
      }}
    />
  )

  const extra = (
    <>
      {isRinging && !checks && call && (
        <LatePart load={loadRing}>
          {({ Ring }) => <Ring vet={call.vet} pet={pet} onAnswer={answer} onDecline={() => reply(false)} />}
        </LatePart>
      )}
      {checks && (
        <LateDialog load={loadCheck} title={say('Create Video')} onClose={() => setChecks(false)}>
          {({ DeviceCheck }) => (
            <DeviceCheck
              ways={data}
              tells
              continues={call ? (isRinging ? say('Answer') : say('Join the call')) : undefined}
              {...(isRinging && {
                onComes: () => reply(true),
                ringing: (
                  <LatePart load={loadRing}>{({ Ringing }) => <Ringing vet={call.vet} pet={pet} />}</LatePart>
                ),
              })}
              onClose={() => setChecks(false)}
              onText={() => {
                keepChecked({})
                setChecks(false)
                // Another device of the owner's may be in the call.
                if (call?.owner_device === null) reply(false)
              }}
              onContinue={({ stream, ...choice }) => {
                setChecks(false)
                if (call) return void enter(choice, choice.soundOnly, stream)
                stream?.getTracks().forEach((track) => track.stop())
                setReady(true)
              }}
            />
          )}
        </LateDialog>
      )}
    </>
  )
  return {
    banner,
    /** Offered when nothing else has to be said. */
    asks,
    extra,
    view,
    /** Opens the check from the room's header, on the page that may use the camera. */
    check: () => (isHere ? setChecks(true) : location.assign(`/video-chat/${consultation}${CHECK}`)),
  }
}

function Strip({
  part,
  title,
  button,
  onPress,
}: {
  part: RefObject<HTMLDivElement | null>
  title: string
  button: string
  onPress: () => void
}) {
  const id = useId()
  return (
    <div
      ref={part}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-green-soft px-4 py-2 text-14 text-green-soft-ink lg:justify-center lg:px-6"
    >
      <Icon name="video" />
      <p id={id} className="font-semi">
        {title}
      </p>
      <Button variant="primary" size={44} className="text-14!" aria-describedby={id} onClick={onPress}>
        {button}
      </Button>
    </div>
  )
}
