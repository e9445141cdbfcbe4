import { useQuery } from '@tanstack/react-query'
import { daysAfter } from '#contract/regions.ts'
import { type Roster, type Shift, shortRest } from '#contract/roster.ts'
import { now as serverNow } from '../lib/session.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { asSeen, rosterFrom, useOfferShift, useTakeShift } from './queries.ts'
import { longDay, restWords, span } from './roster-words.ts'

/** What a vet can do with a shift: offer their own, withdraw the offer, or take a colleague's. */
export function OwnShiftDialog({
  shift,
  bands,
  mine,
  onClose,
}: {
  shift: Shift
  bands: Roster['bands']
  /** The id of the signed-in vet. */
  mine: number
  onClose: () => void
}) {
  const isMine = shift.vet_id === mine
  // The vet's previous shift may be in the week before the one on the page.
  const around = useQuery({ ...rosterFrom(daysAfter(shift.day, -1)), enabled: !isMine })
  const planned = around.data?.shifts.filter(({ vet_id }) => vet_id === mine) ?? []
  const restBetween = (earlier: { end: string }[], later: Pick<Shift, 'begin'>, what: string) => {
    const rest = shortRest(
      new Date(later.begin),
      earlier.map(({ end }) => ({ end: new Date(end) })),
    )
    return rest === null ? [] : [`You would have ${restWords(rest)} ${what}.`]
  }
  const next = planned.find(({ begin }) => begin >= shift.end)
  const rests = [
    ...restBetween(planned, shift, 'it'),
    ...(next ? restBetween([shift], next, `your shift on ${longDay(next.day)}`) : []),
  ]
  const offer = useOfferShift()
  const take = useTakeShift()
  const when = (
    <p className="font-medium">
      {longDay(shift.day)}, {bands[shift.band]!.name.toLowerCase()}, {span(shift)}
    </p>
  )
  if (Date.parse(shift.begin) <= serverNow())
    return (
      <Dialog small title={isMine ? 'Your shift' : `${shift.name}’s shift`} keeps="Close" onClose={onClose}>
        {when}
        <p>It has begun, so only an admin can change it.</p>
      </Dialog>
    )
  const taking = {
    title: `Take ${shift.name}’s shift?`,
    says: `You’ll work it instead of ${shift.name}, and we’ll email them.`,
    does: 'Take the shift',
    run: () => take(asSeen(shift)),
    done: 'The shift is yours.',
  }
  const keeping = {
    title: 'Keep your shift?',
    says: 'Colleagues can take it as long as it’s offered.',
    does: 'Keep the shift',
    run: () => offer({ id: shift.id, offered: false }),
    done: 'You keep the shift.',
  }
  const offering = {
    title: 'Offer your shift?',
    says: 'The first colleague to take it gets it, and we email you. Until then it’s yours.',
    does: 'Offer the shift',
    run: () => offer({ id: shift.id, offered: true }),
    done: 'Your colleagues can see that it’s on offer.',
  }
  const own = shift.offered ? keeping : offering
  const { title, says, does, run, done } = isMine ? own : taking
  return (
    <ConfirmDialog
      title={title}
      does={does}
      keeps="Leave as it is"
      danger={false}
      onClose={onClose}
      onConfirm={() => run().then(() => done)}
    >
      {when}
      <p>{says}</p>
      {rests.map((rest) => (
        <p key={rest} className="font-medium text-amber-soft-ink">
          {rest}
        </p>
      ))}
    </ConfirmDialog>
  )
}
