import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Consultation } from '#contract/consultations.ts'
import { choices, choose } from '../lib/session.ts'
import { Icon } from '../ui/icon.tsx'
import { useAlert } from '../ui/alert-bar.tsx'
import { playTones, type Tones } from '../ui/tones.ts'
import { arrivalOf, type FollowUp } from './cases.ts'
import { currentUser } from '../lib/current-user.ts'
import { isEmergency } from './urgency-chip.tsx'

const ARRIVAL: Tones = [
  [660, 0],
  [880, 0.16],
]
/** Three falling tones, twice. */
const EMERGENCY: Tones = [0, 0.9].flatMap((from) => [
  [1047, from],
  [784, from + 0.18],
  [1047, from + 0.36],
])

export const ringEmergency = () => playTones(EMERGENCY)

const isOn = () => choices()['sound'] === true

/** Plays the arrival sound when more cases wait than before, or a new one does, except during a call. */
export function useArrivals(waits: number | undefined, ids: readonly number[], isInCall = false) {
  const last = useRef<{ waits: number; newest: number }>(undefined)
  const newest = Math.max(0, ...ids)
  useEffect(() => {
    if (waits === undefined) return
    const before = last.current
    const isMore = before && (waits > before.waits || newest > before.newest)
    if (isMore && isOn() && !isInCall) playTones(ARRIVAL)
    last.current = { waits, newest: Math.max(newest, before?.newest ?? 0) }
  }, [waits, newest, isInCall])
}

/** Announces each case that a colleague hands over to this vet. An emergency sounds like one that arrives. */
export function useHandedOver(isInCall = false) {
  const { show } = useAlert()
  const { data } = useQuery(currentUser)
  const known = useRef<ReadonlySet<string>>(undefined)
  const announce = useEffectEvent((arrived: Consultation[]) => {
    const emergency = arrived.find(({ urgency }) => isEmergency(urgency))
    if (emergency) ringEmergency()
    else if (isOn() && !isInCall) playTones(ARRIVAL)
    show(
      arrived
        .map(({ handed_over_by, pet }) => `${handed_over_by} handed ${pet.name}’s case to you.`)
        .join('\n'),
      emergency ? 'failed' : 'info',
      emergency && `${emergency.pet.name} is an emergency.`,
    )
  })
  useEffect(() => {
    const handedOver = data?.consultations?.filter(({ handed_over_by }) => handed_over_by)
    if (!handedOver) return
    const arrived = handedOver.filter((one) => known.current && !known.current.has(arrivalOf(one)))
    known.current = new Set([...(known.current ?? []), ...handedOver.map(arrivalOf)])
    if (arrived.length > 0) announce(arrived)
  }, [data])
}

/**
 * Announces each emergency that arrives or is asked after the end, and each of the vet's own cases that becomes one, with
 * a sound even if the arrival sound is off.
 */
export const Emergencies = ({
  waiting,
  asked,
  own,
  entered,
}: {
  waiting: Consultation[] | undefined
  asked: FollowUp[] | undefined
  /** The vet's cases. */
  own: Consultation[] | undefined
  /** The case that the vet has open: nothing in it is announced. */
  entered?: number
}) => (
  <>
    <Announced cases={waiting?.map((one) => ({ one, since: one.start }))} />
    <Announced cases={asked?.map(({ consultation: one, asked_at: since }) => ({ one, since }))} />
    <Announced raised but={entered} cases={own?.map((one) => ({ one, since: one.vet_start ?? one.start }))} />
  </>
)

function Announced({
  cases,
  raised = false,
  but,
}: {
  cases: { one: Consultation; since: string }[] | undefined
  /** Only those that were there before they became emergencies. */
  raised?: boolean
  but?: number | undefined
}) {
  const known = useRef<ReadonlyMap<string, boolean>>(undefined)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (cases === undefined) return
    const all = cases.map(({ one, since }) => ({
      one,
      key: `${one.id} ${since}`,
      is: isEmergency(one.urgency),
    }))
    const before = known.current
    const arrived = all.filter(
      ({ one, key, is }) =>
        is && before && !before.get(key) && (!raised || before.has(key)) && one.id !== but,
    )
    known.current = new Map([...(before ?? []), ...all.map(({ key, is }) => [key, is] as const)])
    if (arrived.length === 0) return
    ringEmergency()
    setSaid(arrived.map(({ one }) => `Emergency: ${one.pet.name}, ${one.urgency!.why}`).join('. '))
  }, [cases, raised, but])
  return (
    <p role="alert" className="sr-only">
      {said}
    </p>
  )
}

/** Off by default. Turning it on also allows the browser to play sound. */
export function SoundSwitch() {
  const [on, setOn] = useState(isOn)
  const turn = () => {
    choose({ sound: on ? undefined : true })
    setOn(!on)
    if (!on) playTones(ARRIVAL)
  }
  return (
    <button
      type="button"
      aria-label="Arrival sound"
      aria-pressed={on}
      title={on ? 'Arrival sound is on' : 'Arrival sound is off'}
      onClick={turn}
      className="inline-grid size-9 flex-none place-items-center rounded-small text-ink-soft hover:bg-paper-sunk aria-pressed:text-green pointer-coarse:size-11"
    >
      <Icon name={on ? 'volume-2' : 'volume-x'} />
    </button>
  )
}
