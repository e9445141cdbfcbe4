import { type ComponentProps, type ReactNode, useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { Spinner } from '../ui/spinner.tsx'
import type { CallProps, Part } from './call-props.ts'
import type { CallState } from './call-state.ts'
import { CAMERA_TROUBLES } from './media.ts'

export const plateButton =
  'inline-flex min-h-11 flex-1 items-center justify-center rounded-full border px-3 py-2 text-14 leading-tight font-semi focus-visible:rounded-full'
const filled = `${plateButton} border-plate-fill bg-plate-fill text-on-plate-fill`
const open = `${plateButton} border-plate-edge`

const PlateButton = ({ look = filled, ...button }: ComponentProps<'button'> & { look?: string }) => (
  <button type="button" className={look} {...button} />
)

const BROKEN: Record<NonNullable<CallState['broken']>, Sentence> = {
  refused: sentence('Allow it beside the web address, then try again.'),
  system: sentence('Allow it in your device’s settings, then try again.'),
  missing: sentence('Connect one and try again. Sound and messages still work.'),
  taken: sentence('Another app may be using it. Close that app and try again.'),
}

type TroubleProps = Part<'store' | 'called' | 'onText' | 'onPhoto'>

/** Shows one problem, the worst first: what happened, what we did, and what one can do. It never covers the face. */
export function Trouble({ store, state, called, onText, onPhoto }: TroubleProps) {
  const { phase, soundOnly, step, slow, theirs, hopeless, hidden, broken, unheard, held, camera, asksPhoto } =
    state
  const isVet = store.side === 'vet'
  const text = <PlateButton onClick={onText}>{say('Continue in text')}</PlateButton>
  const turnOn = (says: string) => (
    <PlateButton onClick={() => void store.setCamera(true)}>{says}</PlateButton>
  )
  if (phase === 'unreachable')
    return (
      <Plate
        role="alert"
        icon="wifi-off"
        title={say('This network doesn’t let the call through')}
        buttons={text}
      >
        {say('We keep trying. Messages and photos still reach {called}.', { called })}
      </Plate>
    )
  if (phase === 'lost')
    return (
      <Plate role="alert" icon="rotate-cw" title={say('Connection lost. Trying again.')} buttons={text}>
        {isVet
          ? say('{called} can still read what you write.', { called })
          : say('{called} can still read what you write. Nothing is charged twice.', { called })}
      </Plate>
    )
  if (asksPhoto && onPhoto)
    return <AskedForPhoto store={store} called={called} hasCamera={camera} onPhoto={onPhoto} />
  if (unheard)
    return (
      <Plate
        icon="mic"
        title={say('Your microphone stopped')}
        buttons={
          <>
            <PlateButton look={open} onClick={() => void store.replaceMicrophone()}>
              {say('Try again')}
            </PlateButton>
            {text}
          </>
        }
      >
        {say('Connect it again, or write: {called} can read your messages.', { called })}
      </Plate>
    )
  if (held)
    return (
      <Plate icon="mic" title={say('Your device has paused your sound or picture')} buttons={text}>
        {say('A phone call or another app may be using it. It comes back when that ends.')}
      </Plate>
    )
  if (hidden)
    return (
      <Plate icon="video-off" title={say('Your camera is off')} buttons={turnOn(say('Turn on camera'))}>
        {say('We turned it off because this page was out of sight for a minute.')}
      </Plate>
    )
  if (broken)
    return (
      <Plate icon="video-off" title={say(CAMERA_TROUBLES[broken])} buttons={turnOn(say('Try again'))}>
        {say(BROKEN[broken])}
      </Plate>
    )
  if (phase !== 'on') return null
  if (hopeless)
    return (
      <Plate icon="signal-low" title={say('Your network is too slow for a call')} buttons={text}>
        {say('Messages and photos still reach {called}.', { called })}
      </Plate>
    )
  if (asksPhoto) return <Plate icon="camera" title={say('Photo asked for')} />
  if (soundOnly) return null
  if (slow && step === 'sound' && camera)
    return (
      <Plate icon="signal-low" title={say('Your network is slow')} buttons={text}>
        {say('Only the sound is sent now. The picture comes back when the network is better.')}
      </Plate>
    )
  if (slow && step === 'small' && camera)
    return (
      <Plate
        icon="signal-low"
        title={say('Your network is slow')}
        buttons={
          <>
            <PlateButton look={open} onClick={() => void store.hearOnly()}>
              {say('Sound only')}
            </PlateButton>
            {text}
          </>
        }
      >
        {say('The picture is smaller so that the sound stays clear.')}
      </Plate>
    )
  if (theirs.slow && theirs.step === 'small' && theirs.camera)
    return (
      <Plate icon="signal-low" title={say('{called}’s picture is smaller', { called })}>
        {say('Their network is slow. The sound stays clear.')}
      </Plate>
    )
  return null
}

const Plate = ({
  icon,
  title,
  buttons,
  role = 'status',
  children,
}: {
  icon: IconName
  title: ReactNode
  buttons?: ReactNode
  role?: 'status' | 'alert'
  children?: ReactNode
}) => (
  <div className="stack w-full max-w-[420px] gap-3 justify-self-center rounded-card bg-plate p-4 leading-snug chats:bg-stage">
    <p role={role} className="flex gap-[10px]">
      <Icon name={icon} className="mt-px" />
      <span>
        <b className="block font-semi">{title}</b>
        {children}
      </span>
    </p>
    {buttons && <div className="flex gap-2">{buttons}</div>}
  </div>
)

type AskedProps = Required<Pick<CallProps, 'store' | 'called' | 'onPhoto'>> & { hasCamera: boolean }

function AskedForPhoto({ store, called, hasCamera, onPhoto }: AskedProps) {
  const [takes, setTakes] = useState(false)
  async function take() {
    setTakes(true)
    const photo = await store.answerPhoto(true)
    if (photo) onPhoto(photo)
  }
  return (
    <Plate
      role="alert"
      icon="camera"
      title={say('{called} asks for a photo', { called })}
      buttons={
        <>
          <PlateButton look={open} onClick={() => void store.answerPhoto(false)}>
            {say('Not now')}
          </PlateButton>
          {hasCamera ? (
            <PlateButton disabled={takes} onClick={() => void take()}>
              {takes ? <Spinner /> : say('Take the photo')}
            </PlateButton>
          ) : (
            <PlateButton onClick={() => void store.setCamera(true)}>{say('Turn on camera')}</PlateButton>
          )}
        </>
      }
    >
      {say('Point the camera at it and hold still. We’ll send the photo in full quality.')}
    </Plate>
  )
}
