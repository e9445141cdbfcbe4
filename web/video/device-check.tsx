import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Ways } from '#contract/video.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { Spinner } from '../ui/spinner.tsx'
import { Check, Device, TellMe } from './check-rows.tsx'
import { guideFor } from './how-to-allow.ts'
import { Level } from './level.tsx'
import {
  CAMERA_TROUBLES,
  getBoth,
  getPicture,
  getSound,
  keepChecked,
  savesData,
  type Trouble,
  troubleOf,
  type Wanted,
} from './media.ts'
import { checkNetwork, type Verdict } from './network-check.ts'
import { playRing } from './tones.ts'

/** With 'nothing', neither camera nor microphone works; with the last two, only the microphone doesn't. */
type Found = Trouble | 'nothing' | 'unheard' | 'microphone refused'
type State = 'off' | 'on' | Found

/** What happened, and what to do about it: in words, or by the guide to this browser's permissions. */
const TROUBLES: Record<
  Found,
  { icon: IconName; title: Sentence; says?: Sentence; guide?: 'refused' | 'system' }
> = {
  refused: { icon: 'video-off', title: CAMERA_TROUBLES.refused, guide: 'refused' },
  system: { icon: 'video-off', title: CAMERA_TROUBLES.system, guide: 'system' },
  missing: {
    icon: 'video-off',
    title: CAMERA_TROUBLES.missing,
    says: sentence('Connect one and try again, talk without one, or use text: the vet can see photos there.'),
  },
  taken: {
    icon: 'video-off',
    title: CAMERA_TROUBLES.taken,
    says: sentence('Another app may be using it. Close that app and try again.'),
  },
  nothing: {
    icon: 'video-off',
    title: sentence('We couldn’t find a camera or a microphone'),
    says: sentence('Connect them and try again, or use text: the vet can see photos there.'),
  },
  unheard: {
    icon: 'mic',
    title: sentence('We couldn’t start a microphone'),
    says: sentence(
      'Connect one, or close the app that uses it, and try again. Or use text: the vet can see photos there.',
    ),
  },
  'microphone refused': { icon: 'mic', title: sentence('Microphone is not allowed yet'), guide: 'refused' },
}

const TEXT_IS_SMALL = sentence('A text consult costs the same and uses under 1 MB')
const NETWORKS: Record<Verdict | 'checking', [icon: IconName, says: Sentence, more?: Sentence]> = {
  checking: ['wifi', sentence('Checking your network…')],
  video: [
    'wifi',
    sentence('Network is good for video'),
    sentence('About 5 MB a minute, 60 MB for most consults'),
  ],
  sound: ['signal-low', sentence('Network is slow: sound or text will work better'), TEXT_IS_SMALL],
  text: ['signal-low', sentence('Network is too slow for a call: use text'), TEXT_IS_SMALL],
  blocked: [
    'wifi-off',
    sentence('This network blocks calls: use text'),
    sentence('Or try again on mobile data or another Wi-Fi'),
  ],
}

/** What the check found, and the stream that is already running. */
export interface Choice extends Wanted {
  soundOnly: boolean
  stream: MediaStream | null
}

interface Props {
  onClose: () => void
  onText: () => void
  onContinue: (choice: Choice) => void
  /** The relay, if this page may use it. */
  ways?: Ways | undefined
  continues?: string
  /** Shown when the vet rings during the check. */
  ringing?: ReactNode
  /** Called at the first sign that the person will answer. */
  onComes?: () => void
  /** Whether to offer a notification when the vet rings. */
  tells?: boolean
}

async function permissionOf(name: 'camera' | 'microphone') {
  try {
    return (await navigator.permissions.query({ name: name as PermissionName })).state
  } catch {
    // Not every browser tells.
    return undefined
  }
}

/** What is missing, when there is no sound either. */
async function lackOf(trouble: Trouble, wanted: Wanted): Promise<Found> {
  if (trouble === 'system') return trouble
  if (trouble === 'refused') {
    const [microphone, camera] = await Promise.all([permissionOf('microphone'), permissionOf('camera')])
    return microphone === 'denied' && camera !== 'denied' ? 'microphone refused' : trouble
  }
  const picture = await getPicture(wanted).catch(() => null)
  picture?.stop()
  if (picture) return 'unheard'
  return trouble === 'missing' ? 'nothing' : trouble
}

/** Tries the camera and the microphone. Nothing is recorded, and nothing leaves the device. */
function useDevices(startsAlone: boolean) {
  const [state, setState] = useState<State>('off')
  const [busy, setBusy] = useState(false)
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([])
  const [chosen, setChosen] = useState<Wanted>({})
  const live = useRef<MediaStream>(undefined)
  const left = useRef(false)
  const starting = useRef(false)

  const stop = () => live.current?.getTracks().forEach((track) => track.stop())

  async function start(wanted: Wanted = chosen) {
    if (starting.current) return
    starting.current = true
    setBusy(true)
    setChosen(wanted)
    stop()
    const keep = async (got: MediaStream, as: State) => {
      live.current = got
      if (left.current) return stop()
      // It was unplugged, or another app took it. A track that we stop ourselves has no such event.
      for (const track of got.getTracks())
        track.addEventListener('ended', () => live.current === got && void start({}))
      setStream(got)
      setDevices(await navigator.mediaDevices.enumerateDevices())
      setState(as)
    }
    try {
      await keep(await getBoth(wanted), 'on')
    } catch (error) {
      if (left.current) return
      setStream(null)
      const trouble = troubleOf(error)
      // The microphone may work although the camera doesn't, or the other way round.
      const sound = await getSound(wanted).catch(() => null)
      if (sound) return await keep(sound, trouble)
      const found = await lackOf(trouble, wanted)
      if (!left.current) setState(found)
    } finally {
      starting.current = false
      setBusy(false)
    }
  }

  const begin = useEffectEvent(() => void start())
  useEffect(() => {
    left.current = false
    // If the camera is already allowed or refused, the browser won't ask, so nothing has to be explained first.
    if (startsAlone)
      void permissionOf('camera').then((state) => state && state !== 'prompt' && !left.current && begin())
    return () => {
      left.current = true
      stop()
    }
  }, [startsAlone])

  return {
    state,
    busy,
    stream,
    devices,
    chosen,
    start,
    /** The stream continues in a call. */
    release() {
      live.current = undefined
      return stream
    },
  }
}

/** Checks what a video consult needs, before it is paid for and before a call. */
export function DeviceCheck({
  onClose,
  onText,
  onContinue,
  ways,
  continues,
  ringing,
  onComes,
  tells = false,
}: Props) {
  const { state, busy, stream, devices, chosen, start, release } = useDevices(tells)
  const trouble = state === 'off' || state === 'on' ? undefined : TROUBLES[state]
  const hasSound = (stream?.getAudioTracks().length ?? 0) > 0
  const verdict = useVerdict(ways)
  const [icon, says, more] = NETWORKS[verdict ?? 'checking']
  const tryAgain = useRef<HTMLDivElement>(null)
  const foot = useRef<HTMLDivElement>(null)
  // The pressed button may have disappeared from the dialog.
  useFocusAfter(busy, () => (tryAgain.current ?? foot.current)?.querySelector('button'))
  const turnOn = () => {
    onComes?.()
    void start()
  }
  const go = (soundOnly: boolean) => {
    const choice = { ...chosen, soundOnly }
    keepChecked(choice)
    onContinue({ ...choice, stream: release() })
  }
  const textFirst = trouble !== undefined || verdict === 'text' || verdict === 'blocked'
  const isOn = state === 'on'
  const text = (
    <Button key="text" variant={textFirst ? 'primary' : 'line'} icon="message-circle" onClick={onText}>
      {say('Use text instead')}
    </Button>
  )
  const sound = hasSound && !busy && (
    <Button key="sound" onClick={() => go(true)}>
      {say('Continue with sound only')}
    </Button>
  )
  const video = (
    <Button
      key="video"
      variant={textFirst ? 'line' : 'primary'}
      icon={isOn ? undefined : 'video'}
      busy={busy}
      busyLabel={say('Starting…')}
      onClick={isOn ? () => go(savesData()) : turnOn}
    >
      {isOn ? (continues ?? say('Continue with video')) : say('Turn on camera')}
    </Button>
  )
  return (
    <Dialog
      onClose={onClose}
      title={say('Create Video')}
      foot={
        <div ref={foot} className="contents">
          {trouble ? [text, sound] : textFirst ? [text, video] : [video, text]}
        </div>
      }
    >
      {ringing}
      <div className="stack min-h-[608px] content-start items-start gap-6 sm:min-h-[384px] sm:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <Preview {...{ stream, trouble, busy }} />
        <div className="stack gap-4">
          <div role="status" className="stack gap-4 empty:hidden">
            {!busy && trouble?.guide && <HowToAllow trouble={trouble.guide} />}
            {!busy && trouble?.says && <p>{say(trouble.says)}</p>}
          </div>
          {trouble && (
            <div ref={tryAgain}>
              <Button size={44} icon="rotate-cw" busy={busy} busyLabel={say('Starting…')} onClick={turnOn}>
                {say('Try again')}
              </Button>
            </div>
          )}
          <ul className="divide-y divide-line">
            {isOn && stream && (
              <Device
                icon="video"
                title={say('Camera works')}
                kind="videoinput"
                devices={devices}
                label={say('Camera')}
                value={chosen.camera ?? stream.getVideoTracks()[0]?.getSettings().deviceId ?? ''}
                onValue={(camera) => void start({ ...chosen, camera })}
              />
            )}
            {hasSound && stream && (
              <Device
                icon="mic"
                title={<Level key={stream.id} stream={stream} />}
                kind="audioinput"
                devices={devices}
                label={say('Microphone')}
                value={chosen.microphone ?? stream.getAudioTracks()[0]?.getSettings().deviceId ?? ''}
                onValue={(microphone) => void start({ ...chosen, microphone })}
              />
            )}
            <Check
              icon="volume-2"
              title={say('Can you hear us?')}
              more={say('Plays two short tones')}
              button={
                <Button variant="text" size={44} onClick={playRing}>
                  {say('Play')}
                </Button>
              }
            />
            <Check
              icon={icon}
              amber={verdict !== undefined && verdict !== 'video'}
              title={say(says)}
              more={more ? say(more) : '\u00a0'}
              button={
                verdict === 'sound' &&
                isOn && (
                  <Button variant="text" size={44} onClick={() => go(true)}>
                    {say('Sound only')}
                  </Button>
                )
              }
            />
            {tells && <TellMe />}
          </ul>
          {state === 'off' && (
            <p className="text-ink-soft">
              {say('Your browser will ask whether we can use camera and microphone: choose Allow.')}
            </p>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** Checked once, and again when the relay is known, because each check uses the owner's data. */
function useVerdict(ways: Ways | undefined) {
  const [verdict, setVerdict] = useState<Verdict>()
  const isKnown = ways !== undefined
  const check = useEffectEvent(() => checkNetwork(ways))
  useEffect(() => {
    let left = false
    void check().then((found) => !left && setVerdict(found))
    return () => void (left = true)
  }, [isKnown])
  return verdict
}

function HowToAllow({ trouble }: { trouble: 'refused' | 'system' }) {
  const { title, steps } = guideFor(navigator.userAgent, navigator.maxTouchPoints > 1, trouble)
  return (
    <div className="stack gap-2">
      <h3 className="t16">{say(title)}</h3>
      <ol className="stack list-decimal gap-2 pl-6 marker:font-semi marker:text-green">
        {steps.map((step) => (
          <li key={String(step)}>{say(step)}</li>
        ))}
      </ol>
    </div>
  )
}

interface PreviewProps {
  stream: MediaStream | null
  trouble: (typeof TROUBLES)[Found] | undefined
  busy: boolean
}

function Preview({ stream, trouble, busy }: PreviewProps) {
  return (
    <div
      className={`relative grid max-h-[38dvh] w-full place-items-center overflow-clip rounded-card bg-stage text-on-plate sm:aspect-4/3 sm:max-h-none ${trouble ? 'aspect-16/9' : 'aspect-4/3'}`}
    >
      {stream && !trouble && !busy ? (
        <>
          <video
            ref={(video) => {
              if (video && video.srcObject !== stream) video.srcObject = stream
            }}
            autoPlay
            muted
            playsInline
            aria-label={say('What your camera sees')}
            className="absolute inset-0 size-full -scale-x-100 object-cover"
          />
          <p className="absolute bottom-3 left-3 rounded-full bg-plate px-3 py-1 text-14">
            {say('Only you can see this')}
          </p>
        </>
      ) : (
        <div className="stack justify-items-center gap-2 px-6 text-center">
          {busy ? <Spinner /> : <Icon name={trouble?.icon ?? 'video'} size={24} />}
          {trouble && !busy && <p className="font-semi">{say(trouble.title)}</p>}
          <p className="text-14 text-on-plate-soft">{say('This check doesn’t take or keep any pictures.')}</p>
        </div>
      )}
    </div>
  )
}
