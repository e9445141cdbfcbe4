import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../lib/for-form.ts'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Room } from '#contract/consultations.ts'
import * as lengths from '#contract/lengths.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { RadioList } from '../ui/radio.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { useTextDraft } from '../ui/text-draft.ts'
import { onDuty, useHandBack, useHandOver } from './queries.ts'

const QUEUE = 'queue'
const EMPTY = 'Add a short note for the next vet.'

/** Hands a case over to a vet on duty or back to the queue, with a message. */
export function HandOverDialog({
  room,
  me,
  onClose,
  onDone,
}: {
  room: Room
  me: number
  onClose: () => void
  /** Called after closing, because the button that opened the dialog disappeared with the case. */
  onDone: () => void
}) {
  const { show } = useAlert()
  const duty = useQuery(onDuty)
  const over = useHandOver()
  const back = useHandBack()
  const [chosen, choose] = useState<{ id: number; name: string } | typeof QUEUE>()
  const { words, write, forget } = useTextDraft(`pass:${room.id}`)
  const [trouble, setTrouble] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const others = duty.data?.filter(({ id }) => id !== me) ?? []
  // The first vet is chosen once. If they go off duty, no other vet may take their place unseen.
  if (!chosen && duty.data) choose(others[0] ?? QUEUE)
  const vet = chosen === QUEUE ? undefined : chosen
  const gone = vet && !others.some(({ id }) => id === vet.id) ? vet.name : undefined
  // A radio that had the focus went with its vet.
  useFocusAfter(gone === undefined, () => list.current?.querySelector('input'))
  // Screen readers say the dialog's name before the choice. Until that is known, the focus stays at the title.
  const toChoice = useEffectEvent(
    () => duty.data && list.current?.querySelector<HTMLInputElement>('input:checked')?.focus(),
  )
  useLayoutEffect(() => void toChoice(), [])
  const busy = over.isPending || back.isPending

  const pass = async () => {
    if (gone) return list.current?.querySelector('input')?.focus()
    const note = words.trim()
    setEmpty(note === '')
    if (note === '') return box.current?.focus()
    setTrouble('')
    try {
      if (vet) await over.mutateAsync({ id: room.id, vet_id: vet.id, note })
      else await back.mutateAsync({ id: room.id, note })
      forget()
      onDone()
      show(vet ? `${vet.name} now has ${room.pet.name}’s case.` : `${room.pet.name} is back in the queue.`)
    } catch (error) {
      setTrouble(
        messageOf(error, 'We didn’t get an answer. What you wrote is still here, so please try again.'),
      )
    }
  }

  return (
    <Dialog
      small
      title={`Hand over ${room.pet.name}`}
      onClose={onClose}
      foot={
        <>
          <Button variant="primary" busy={busy} busyLabel="Handing over…" onClick={() => void pass()}>
            {gone ? 'Hand over' : vet ? `Hand over to ${vet.name}` : 'Return to the queue'}
          </Button>
          <Button className="flex-none" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <div ref={list}>
        <RadioList
          legend="Hand over to"
          name="pass-to"
          options={[
            ...others.map(({ id, name, cases }) => ({
              value: String(id),
              label: `${name}, ${cases === 1 ? '1 case' : `${cases} cases`}`,
            })),
            { value: QUEUE, label: 'Return to its place in the queue' },
          ]}
          defaultValue={vet ? String(vet.id) : QUEUE}
          help={duty.data && others.length === 0 ? 'No other vet is on duty right now.' : undefined}
          onChange={({ target }) => choose(others.find(({ id }) => String(id) === target.value) ?? QUEUE)}
        />
      </div>
      <Textarea
        label="What should they know?"
        ref={(element) => void (box.current = element)}
        help={`${room.user.firstName || 'The owner'} won’t see this.`}
        maxLength={lengths.handOver}
        rows={2}
        value={words}
        error={isEmpty && words.trim() === '' ? EMPTY : undefined}
        onChange={({ target }) => write(target.value)}
      />
      <ErrorLine>{gone ? `${gone} went off duty. Choose somebody else.` : trouble}</ErrorLine>
    </Dialog>
  )
}
