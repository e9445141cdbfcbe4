import { type ReactNode, useSyncExternalStore } from 'react'
import { every } from '../lib/is-past.ts'
import { say } from '../ui/say.ts'
import type { Part } from './call-props.ts'
import type { CallState } from './call-state.ts'

function whyNoPicture({ phase, theirs, connectedAt }: CallState, called: string) {
  if (phase === 'ringing') return say('Ringing…')
  if (phase === 'coming') return say('{called} is on the way to the call', { called })
  if (phase === 'alone') return say('{called} left the call and can come back', { called })
  if (phase !== 'on') return say('Connecting…')
  if (theirs.step === 'sound' && theirs.camera)
    return theirs.slow ? say('Sound only, because the network is slow') : say('Sound only')
  return connectedAt ? say('Camera is off') : say('Connecting…')
}

/** Replaces a missing picture and says why there is none. */
export const NoPicture = ({ state, name, called, face }: Part<'name' | 'called' | 'face'>) => (
  <div className="col-start-1 row-start-1 grid place-content-center justify-items-center gap-3 px-6 text-center">
    {face}
    <p className="text-18 font-semi">{name}</p>
    <p role="status" className="text-on-plate-soft">
      {whyNoPicture(state, called)}
    </p>
  </div>
)

function howItGoes(
  { phase, connectedAt, lostAt, bytes, step, theirs }: CallState,
  isVet: boolean,
  minutes: number,
) {
  if (lostAt !== undefined)
    return say('Connection lost at {time}', { time: new Date(lostAt).toTimeString().slice(0, 5) })
  if (connectedAt === undefined) return phase === 'ringing' ? say('Ringing…') : say('Connecting…')
  if (!isVet)
    return say('{minutes} min, {megabytes} MB so far', { minutes, megabytes: Math.round(bytes / 1e6) })
  if (phase !== 'on') return say('{minutes} min', { minutes })
  const quality =
    theirs.step === 'sound' || step === 'sound'
      ? say('sound only')
      : theirs.step === 'small'
        ? say('small picture')
        : say('good picture')
  return say('{minutes} min, {quality}', { minutes, quality })
}

const eachSecond = every(1000)

export function OtherSide({
  state,
  name,
  face,
  isVet,
  children,
}: Part<'name' | 'face'> & { isVet: boolean; children: ReactNode }) {
  const { phase, connectedAt, theirs } = state
  const minutes = useSyncExternalStore(eachSecond, () =>
    connectedAt === undefined ? 0 : Math.floor((Date.now() - connectedAt) / 60_000),
  )
  const isMuted = phase === 'on' && theirs.muted
  return (
    <div className="grid min-w-0 justify-items-start gap-2">
      <div className="flex max-w-full min-w-0 items-center gap-[10px] rounded-panel bg-plate py-[7px] pr-4 pl-[7px] leading-tight">
        <span className="group-data-narrow/call:hidden">{face}</span>
        <div className="min-w-0">
          <b className="block truncate text-16 font-semi">{name}</b>
          <span className="block text-14 text-on-plate-soft tabular-nums">
            <span role="status">{isMuted && say('Their microphone is off')}</span>
            {!isMuted && howItGoes(state, isVet, minutes)}
          </span>
        </div>
      </div>
      <div className="contents max-lg:group-data-open/call:hidden max-[1279px]:group-data-narrow/call:hidden">
        <p className="rounded-full bg-plate px-3 py-1 text-14 text-on-plate-soft">
          {say('Nothing is recorded')}
        </p>
        {children}
      </div>
    </div>
  )
}
