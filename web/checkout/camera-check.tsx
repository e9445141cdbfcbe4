import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Note } from '../ui/note.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { Select } from '../ui/select.tsx'
import { Spinner } from '../ui/spinner.tsx'

type Trouble = 'refused' | 'missing' | 'taken'
type State = 'off' | 'starting' | 'on' | Trouble

const TROUBLES: Record<Trouble, { title: Sentence; says: Sentence }> = {
  refused: {
    title: sentence('Camera or microphone is blocked'),
    says: sentence(
      'Press the icon to the left of the web address, allow the camera and microphone, then try again.',
    ),
  },
  missing: {
    title: sentence('We couldn’t find a camera or microphone'),
    says: sentence('Connect one and try again, or use text: the vet can see photos there.'),
  },
  taken: {
    title: sentence('The camera won’t start'),
    says: sentence('Another app may be using it. Close that app and try again.'),
  },
}

const troubleOf = (error: unknown): Trouble => {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotReadableError' || name === 'AbortError' ? 'taken' : 'missing'
}

interface Chosen {
  camera?: string
  microphone?: string
}

const chosenDevice = (id: string | undefined) => (id ? { deviceId: { exact: id } } : true)

/** Tries the camera and the microphone. Nothing is recorded, and nothing leaves the device. */
function useDevices() {
  const [state, setState] = useState<State>('off')
  const [stream, setStream] = useState<MediaStream>()
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([])
  const [chosen, setChosen] = useState<Chosen>({})
  const live = useRef<MediaStream>(undefined)
  const left = useRef(false)

  const stop = () => live.current?.getTracks().forEach((track) => track.stop())

  async function start(wanted: Chosen = chosen) {
    setState('starting')
    setChosen(wanted)
    stop()
    try {
      const got = await navigator.mediaDevices.getUserMedia({
        video: wanted.camera ? chosenDevice(wanted.camera) : { facingMode: 'user' },
        audio: chosenDevice(wanted.microphone),
      })
      live.current = got
      if (left.current) return stop()
      setStream(got)
      setDevices(await navigator.mediaDevices.enumerateDevices())
      setState('on')
    } catch (error) {
      if (left.current) return
      setStream(undefined)
      setState(troubleOf(error))
    }
  }

  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
      stop()
    }
  }, [])

  return { state, stream, devices, chosen, start }
}

/** Checks what a video consult needs before the buyer pays. */
export function CameraCheck({ onClose, onText }: { onClose: () => void; onText: () => void }) {
  const { state, stream, devices, chosen, start } = useDevices()
  const trouble = state in TROUBLES ? TROUBLES[state as Trouble] : undefined
  const useText = (
    <Button variant={trouble ? 'primary' : 'line'} icon="message-circle" onClick={onText}>
      {say('Use text instead')}
    </Button>
  )

  return (
    <Dialog
      open
      onClose={onClose}
      title={say('Create Video')}
      foot={
        trouble ? (
          <>
            {useText}
            <Button variant="line" icon="rotate-cw" onClick={() => void start()}>
              {say('Try again')}
            </Button>
          </>
        ) : state === 'on' ? (
          <>
            <Button variant="primary" onClick={onClose}>
              {say('Continue with video')}
            </Button>
            {useText}
          </>
        ) : (
          <>
            <Button
              variant="primary"
              icon="video"
              busy={state === 'starting'}
              busyLabel={say('Starting…')}
              onClick={() => void start()}
            >
              {say('Turn on camera')}
            </Button>
            {useText}
          </>
        )
      }
    >
      <Preview stream={stream} state={state} />
      <div role="status" className="stack gap-5 empty:hidden">
        {trouble && (
          <Note tone="wait" icon="video-off" title={say(trouble.title)}>
            {say(trouble.says)} {say('A text consult costs the same and uses little data.')}
          </Note>
        )}
      </div>
      {state === 'on' && stream ? (
        <div className="stack gap-5">
          <Level stream={stream} />
          <div className="stack gap-5 xs:grid-cols-2 xs:gap-4">
            <Choice
              label={say('Camera')}
              kind="videoinput"
              devices={devices}
              value={chosen.camera ?? deviceOf(stream, 'video')}
              onValue={(camera) => void start({ ...chosen, camera })}
            />
            <Choice
              label={say('Microphone')}
              kind="audioinput"
              devices={devices}
              value={chosen.microphone ?? deviceOf(stream, 'audio')}
              onValue={(microphone) => void start({ ...chosen, microphone })}
            />
          </div>
        </div>
      ) : (
        !trouble && (
          <p className="text-ink-soft">
            {say(
              'Your browser will ask whether we can use them: choose Allow. A video consult uses about 5 MB of data a minute.',
            )}
          </p>
        )
      )}
    </Dialog>
  )
}

const deviceOf = (stream: MediaStream, kind: 'video' | 'audio') =>
  (kind === 'video' ? stream.getVideoTracks() : stream.getAudioTracks())[0]?.getSettings().deviceId ?? ''

function Preview({ stream, state }: { stream: MediaStream | undefined; state: State }) {
  return (
    <div className="relative grid aspect-4/3 place-items-center overflow-clip rounded-card bg-night text-on-night sm:aspect-video">
      {state === 'on' ? (
        <>
          <video
            ref={(video) => {
              if (video && stream && video.srcObject !== stream) video.srcObject = stream
            }}
            autoPlay
            muted
            playsInline
            aria-label={say('What your camera sees')}
            className="absolute inset-0 size-full -scale-x-100 object-cover"
          />
          <p className="absolute bottom-3 left-3 rounded-full bg-night px-3 py-1 text-14">
            {say('Only you can see this')}
          </p>
        </>
      ) : (
        <div className="stack justify-items-center gap-3 px-6 text-center">
          {state === 'starting' ? (
            <Spinner />
          ) : (
            <Icon name={state === 'off' ? 'video' : 'video-off'} size={24} />
          )}
          <p className="text-on-night-soft">{say('This check doesn’t take or keep any pictures.')}</p>
        </div>
      )}
    </div>
  )
}

const BARS = 12
/** Chosen so that speech at arm's length fills about half the meter. */
const LOUDNESS = 40

/** The microphone's volume, ten times a second. */
function Level({ stream }: { stream: MediaStream }) {
  const [level, setLevel] = useState(0)
  const [heard, setHeard] = useState(false)
  useEffect(() => {
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(stream).connect(analyser)
    const wave = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(wave)
      const loud = Math.sqrt(wave.reduce((sum, value) => sum + value * value, 0) / wave.length)
      const bars = Math.min(BARS, Math.round(loud * LOUDNESS))
      setLevel(bars)
      if (bars > 1) setHeard(true)
    }, 100)
    return () => {
      clearInterval(timer)
      void context.close()
    }
  }, [stream])
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
      <span className="grid size-11 place-items-center rounded-full bg-green-soft text-green-soft-ink">
        <Icon name="mic" />
      </span>
      <div className="stack gap-2">
        <p role="status" className="font-semi">
          {heard ? say('We can hear you') : say('Say something')}
        </p>
        <div
          role="meter"
          aria-label={say('Microphone level')}
          aria-valuemin={0}
          aria-valuemax={BARS}
          aria-valuenow={level}
          className="grid grid-cols-12 gap-1"
        >
          {Array.from({ length: BARS }, (_, bar) => (
            <span key={bar} className={`h-2 rounded-[4px] ${bar < level ? 'bg-green' : 'bg-line'}`} />
          ))}
        </div>
      </div>
    </div>
  )
}

interface ChoiceProps {
  label: string
  kind: MediaDeviceKind
  devices: MediaDeviceInfo[]
  value: string
  onValue: (device: string) => void
}

function Choice({ label, kind, devices, value, onValue }: ChoiceProps) {
  const ours = devices.filter((device) => device.kind === kind && device.deviceId)
  if (ours.length === 0) return null
  return (
    <Select label={label} value={value} onChange={({ target }) => onValue(target.value)}>
      {ours.map((device, at) => (
        <option key={device.deviceId} value={device.deviceId}>
          {device.label || `${label} ${at + 1}`}
        </option>
      ))}
    </Select>
  )
}
