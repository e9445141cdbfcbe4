import { useQuery } from '@tanstack/react-query'
import { currentUser } from '../lib/current-user.ts'
import { day } from '../lib/dates.ts'
import { messageOf } from '../lib/for-form.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { petsAway, useTakePetBack } from './queries.ts'

/** Folded, because some of these pets died. An owner who pressed by mistake puts the pet back here. */
export function PetsAway({ onBack }: { onBack: () => void }) {
  const { data: user } = useQuery(currentUser)
  const hasSome = user?.has_pets_away === true
  const { data } = useQuery({ ...petsAway, enabled: hasSome })
  const { show } = useAlert()
  const { mutate, isPending, variables, error } = useTakePetBack()
  if (!hasSome || !data) return null
  const put = ({ id, name }: (typeof data)[number]) =>
    mutate(
      { id },
      {
        onSuccess: () => {
          show(say('{name} is back on your list.', { name }))
          onBack()
        },
      },
    )

  return (
    <details className="group border-t border-line">
      <summary className="flex min-h-14 list-none items-center justify-between gap-3 py-1 pr-5 pl-5 hover:text-green lg:pl-6 [&::-webkit-details-marker]:hidden">
        {say('Pets no longer with you')}
        <Icon name="chevron-down" className="group-open:rotate-180" />
      </summary>
      <ul className="stack gap-4 px-5 pb-5 lg:px-6">
        {data.map((pet) => (
          <li key={pet.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div>
              <p className="font-medium">{pet.name}</p>
              <p className="text-14 text-ink-soft">
                {say('Off your list since {day}', { day: day(pet.put_away_at) })}
              </p>
            </div>
            <Button size={44} busy={isPending && variables.id === pet.id} onClick={() => put(pet)}>
              {say('Put {name} back', { name: pet.name })}
            </Button>
          </li>
        ))}
      </ul>
      <div className="px-5 pb-5 empty:hidden lg:px-6">
        <ErrorLine>{error && say(messageOf(error))}</ErrorLine>
      </div>
    </details>
  )
}
