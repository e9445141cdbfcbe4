import type { Escalation, EscalationStep } from '#contract/escalation.ts'
import { MINUTE } from '#contract/time.ts'
import { time } from '../lib/dates.ts'
import type { IconName } from '../ui/icon.tsx'

type Sent = Escalation['steps'][number]
/** Only staff can see what was sent. */
export type ShownStep = EscalationStep & Partial<Pick<Sent, 'sms' | 'mail'>>

interface Line {
  icon: IconName
  title: string
  more?: string
  look?: 'wait' | 'miss' | 'ok' | 'now'
}

const minutesBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / MINUTE)
const minutes = (n: number) => (n === 1 ? '1 minute' : `${n} minutes`)

/** What was sent, if the page may show it. */
function sentSays({ contact, sms, mail, by }: ShownStep): string {
  if (sms === undefined || mail === undefined) return contact ?? ''
  const left = [sms && sms !== 'failed' && 'SMS', mail && mail !== 'failed' && 'email'].filter(Boolean)
  const failed = [sms === 'failed' && 'The SMS', mail === 'failed' && 'The email'].filter(Boolean)
  const waits = [sms, mail].includes('waiting')
  const says = [
    left.length > 0 && `${left.join(' and ')} ${waits ? 'on the way' : 'sent'}, with the case and a link.`,
    failed.length > 0 && `${failed.join(' and ').replace(' and The', ' and the')} didn’t get through.`,
    left.length === 0 && 'Nothing could be sent.',
    left.length === 0 && contact && `Dial ${contact} yourself.`,
    left.length > 0 && contact && (by ? `${contact}, called by ${by}` : contact),
  ]
  return says.filter(Boolean).join(' ')
}

export function lineOf(step: ShownStep, all: readonly ShownStep[]): Line {
  const { kind, name, at } = step
  const who = name ?? ''
  const called = all.findLast((one) => one.kind === 'called' && one.name === name && one.step < step.step)
  switch (kind) {
    case 'called':
      return { icon: 'phone-call', title: `Called ${who}`, more: sentSays(step) }
    case 'missed':
      return {
        icon: 'phone-off',
        title: called ? `No answer for ${minutes(minutesBetween(called.at, at))}` : 'No answer',
        more: who,
        look: 'miss',
      }
    case 'declined':
      return { icon: 'phone-off', title: `${who} can’t take it`, look: 'miss' }
    case 'acknowledged':
      return {
        icon: 'check',
        title: `Acknowledged by ${who}`,
        more: 'Pressed “I’m on it” on the link. The other links stopped working.',
        look: 'ok',
      }
    case 'released':
      return { icon: 'arrow-right-left', title: `${who} can’t any more`, look: 'miss' }
    case 'nobody':
      return { icon: 'hand', title: 'Nobody left to call', more: 'The vet decides', look: 'now' }
    case 'stopped':
      return { icon: 'hand', title: `${step.by} stopped calling`, look: 'now' }
    case 'emergency':
      return { icon: 'map-pin', title: 'Sent to an emergency clinic', more: step.by ?? '', look: 'ok' }
    case 'hours':
      return { icon: 'clock', title: 'Waits for opening hours', more: step.by ?? '', look: 'ok' }
  }
}

/** The step that says where a case stands. A contact who says no after the vet took over changes nothing. */
export const decisiveStep = <T extends ShownStep>(steps: readonly T[]) =>
  steps.findLast(({ kind }) => kind !== 'declined')

/** All steps in one line, for print: "02:14 Called Dr Sample; 02:19 No answer for 5 minutes". */
export const stepsInWords = (steps: readonly ShownStep[]) =>
  steps.map((step) => `${time(step.at)} ${lineOf(step, steps).title}`).join('; ')
