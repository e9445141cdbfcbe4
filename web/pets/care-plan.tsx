import { useState } from 'react'
import { ageSaid, briefDay } from '../lib/dates.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardHead } from '../ui/card.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { say } from '../ui/say.ts'
import { type PlannedItem, planOf } from './care-words.ts'
import { PetFace, speciesOf } from './pet-face.tsx'
import { useUntickCare } from './queries.ts'
import type { Pet } from '#contract/pets.ts'
import type { Asked } from './care-dialog.tsx'

const load = () => import('./care-dialog.tsx')

export function CarePlan({ pet }: { pet: Pet }) {
  const [asked, setAsked] = useState<Asked>()
  const title = `care-${pet.id}`
  return (
    <Card flush aria-labelledby={title}>
      <CardHead>
        <div className="flex min-w-0 items-center gap-4">
          <PetFace species={pet.species_id} picture={pet.pet_image} size={48} />
          <div className="min-w-0">
            <h2 id={title} className="t22">
              {pet.name}
            </h2>
            <p className="text-14 text-ink-soft">
              {[pet.breed?.name ?? speciesOf(pet.species_id).name, ageSaid(pet)].filter(Boolean).join(', ')}
            </p>
          </div>
        </div>
      </CardHead>
      <ul className="divide-y divide-line">
        {planOf(pet).map((planned) => (
          <Item
            key={planned.item}
            planned={planned}
            onAsk={(what) => planned.next && setAsked({ what, care: planned.next, name: planned.name })}
          />
        ))}
      </ul>
      {asked && (
        <LateDialog
          load={load}
          title={say('{care} for {pet}', { care: asked.name, pet: pet.name })}
          onClose={() => setAsked(undefined)}
        >
          {({ CareDialog }) => <CareDialog pet={pet} {...asked} onClose={() => setAsked(undefined)} />}
        </LateDialog>
      )}
    </Card>
  )
}

function Item({
  planned: { name, often, next, last, overdue },
  onAsk,
}: {
  planned: PlannedItem
  onAsk: (what: 'done' | 'move') => void
}) {
  const { show } = useAlert()
  const untick = useUntickCare()
  return (
    <li className="grid gap-x-4 gap-y-3 px-5 py-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center lg:px-6">
      <div className="stack gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="t18">{name}</h3>
          {next &&
            (overdue ? (
              <Badge tone="amber" icon="clock">
                {say('Was due {day}', { day: briefDay(next.due_on) })}
              </Badge>
            ) : (
              <span className="font-medium">{say('Due {day}', { day: briefDay(next.due_on) })}</span>
            ))}
        </div>
        <p className="text-14 text-ink-soft first-letter:uppercase">{often}</p>
        {last?.done_on && (
          <p className="flex flex-wrap items-center gap-x-1 text-14 text-ink-soft">
            {say('Last done {day}.', { day: briefDay(last.done_on) })}
            <Button
              variant="text"
              size={44}
              className="-my-2 text-14"
              aria-label={say('Undo: {care} was not done on {day}', {
                care: name,
                day: briefDay(last.done_on),
              })}
              busy={untick.isPending || undefined}
              busyLabel={say('Undoing…')}
              onClick={() =>
                untick.mutate(
                  { id: last.id, done_on: null },
                  {
                    onSuccess: () => show(say('{care} is no longer marked as done.', { care: name }), 'info'),
                  },
                )
              }
            >
              {say('Undo')}
            </Button>
          </p>
        )}
      </div>
      {next && (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="soft"
            size={44}
            icon="check"
            aria-label={say('{care}: done', { care: name })}
            onClick={() => onAsk('done')}
          >
            {say('Done')}
          </Button>
          <Button
            variant="text"
            size={44}
            aria-label={say('{care}: move the date', { care: name })}
            onClick={() => onAsk('move')}
          >
            {say('Move')}
          </Button>
        </div>
      )}
    </li>
  )
}
