import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useRef, useState } from 'react'
import { type Pet, PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import { ageSaid, day, dayAndTime } from '../lib/dates.ts'
import { useLastShown } from '../lib/last-shown.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { ListCard } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { LatePetDialog } from './late-pet-dialog.tsx'
import { nextCare } from './care-words.ts'
import { PetFace, speciesOf } from './pet-face.tsx'
import { PetsAway } from './pets-away.tsx'
import { myPets, useMemberships } from './queries.ts'

const loadCode = () => import('../policies/code-form.tsx')

export function MyPets({
  managed,
  place: Place,
}: {
  managed: boolean
  /** The dialog that puts a pet on a membership; undefined if there is none to join. */
  place?: ComponentType<{ pet: Pet; onClose: () => void }> | undefined
}) {
  const { show } = useAlert()
  const pets = useQuery(myPets)
  const [opened, setOpened] = useState<'new' | Pet>()
  const [confirms, setConfirms] = useState<Pet>()
  /** The pet that is to get a place on a membership. */
  const [joins, setJoins] = useState<Pet>()
  const memberships = useMemberships() ?? []
  const heading = useRef<HTMLHeadingElement>(null)
  const isInside = ({ id }: Pet) => memberships.some((one) => one.pets.includes(id))
  const inside = pets.data?.filter(isInside).length ?? 0

  return (
    <ListCard
      titleId="my-pets"
      title={say('My Pets')}
      heading={heading}
      className="stack"
      action={
        !managed && (
          <Button variant="text" size={44} icon="plus" onClick={() => setOpened('new')}>
            {say('Add pet')}
          </Button>
        )
      }
    >
      {pets.data ? (
        pets.data.length > 0 ? (
          <ul className="divide-y divide-line">
            {pets.data.map((pet) => (
              <PetRow
                key={pet.id}
                pet={pet}
                onEdit={() => setOpened(pet)}
                onConfirm={() => setConfirms(pet)}
                onJoin={Place && !isInside(pet) ? () => setJoins(pet) : undefined}
              />
            ))}
          </ul>
        ) : (
          <Empty scene="empty-no-pets" title={say('No pets yet')}>
            {managed
              ? say('Your partner adds them to this membership.')
              : say('Dogs, cats, rabbits, birds, snakes: all welcome.')}
          </Empty>
        )
      ) : (
        <RowsLoading of={pets} what={say('your pets')} waits={<PetSkeletons />} />
      )}
      {pets.data && pets.data.length > 0 && (
        <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 py-1 pr-3 pl-5 lg:pl-6">
          <p className="py-2 text-14 text-ink-soft">
            {memberships.length > 0 &&
              (memberships.length > 1
                ? say('{inside} of {places} pets on {count} memberships', {
                    inside,
                    places: memberships.length * PETS_PER_MEMBERSHIP,
                    count: memberships.length,
                  })
                : say('{inside} of {places} pets on this membership', {
                    inside,
                    places: PETS_PER_MEMBERSHIP,
                  }))}
            {memberships.flatMap(({ id, leaving }) =>
              leaving.map(({ pet, free_from }) => (
                <span key={`${id} ${pet} ${free_from}`} className="block">
                  {say('{name}’s place is free from {day}.', { name: pet, day: day(free_from) })}
                </span>
              )),
            )}
          </p>
          <LinkButton variant="text" size={44} href="/myaccount/care" className="ml-auto">
            {say('Care plans')}
          </LinkButton>
        </div>
      )}
      <PetsAway onBack={() => heading.current?.focus()} />
      {opened && (
        <LatePetDialog
          pet={opened === 'new' ? undefined : (pets.data?.find(({ id }) => id === opened.id) ?? opened)}
          onClose={() => setOpened(undefined)}
        />
      )}
      {confirms?.policy && (
        <LateDialog load={loadCode} title={say('Enter the code')} onClose={() => setConfirms(undefined)}>
          {({ PolicyCodeForm }) => (
            <Dialog small title={say('Enter the code')} onClose={() => setConfirms(undefined)}>
              <PolicyCodeForm
                policy={confirms.policy!.policy}
                pet={confirms.name}
                onConfirmed={() => {
                  show(say('{pet}’s policy is confirmed.', { pet: confirms.name }))
                  setConfirms(undefined)
                }}
              />
            </Dialog>
          )}
        </LateDialog>
      )}
      {joins && Place && <Place pet={joins} onClose={() => setJoins(undefined)} />}
    </ListCard>
  )
}

/** The pets as they were last shown. Those that weren't shown in this browser yet are grey. */
export function PetSkeletons() {
  const shown = useLastShown('pets')
  if (!shown?.length) return <SkeletonRows label={say('Loading your pets')} />
  return (
    <ul aria-busy="true" className="divide-y divide-line">
      {[...shown.entries()].map(([at, { name, species_id }]) => (
        // Two pets may have the same name.
        <li key={at} className={row}>
          <PetFace species={species_id} picture={null} size={56} />
          <div>
            <p className="t18">{name}</p>
            <p className="text-14 text-ink-soft">{speciesOf(species_id).name}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

const row =
  'grid min-h-[88px] grid-cols-[56px_minmax(0,1fr)_44px] items-center gap-4 py-4 pr-3 pl-5 lg:pr-4 lg:pl-6'

function PetRow({
  pet,
  onEdit,
  onConfirm,
  onJoin,
}: {
  pet: Pet
  onEdit: () => void
  onConfirm: () => void
  /** Undefined if it's on a membership, or there is none to join. */
  onJoin: (() => void) | undefined
}) {
  const cover = coverSaid(pet.cover)
  const waits = pet.policy !== null && !pet.policy.confirmed
  const care = nextCare(pet)
  return (
    <li className={row}>
      <PetFace species={pet.species_id} picture={pet.pet_image} size={56} />
      <div>
        <p className="t18">{pet.name}</p>
        <p className="text-14 text-ink-soft">
          {[pet.breed?.name ?? speciesOf(pet.species_id).name, ageSaid(pet)].filter(Boolean).join(', ')}
        </p>
        {waits ? (
          <Line icon="clock" look="font-medium text-amber">
            {say('Waiting for the policy code')}
          </Line>
        ) : (
          <Line {...cover}>{cover.words}</Line>
        )}
        {care && (
          <Line icon="calendar" look={care.overdue ? 'font-medium text-amber' : 'text-ink-soft'}>
            {care.words}
          </Line>
        )}
        {waits && (
          <Button size={44} className="mt-2" onClick={onConfirm}>
            {say('Enter the code')}
          </Button>
        )}
        {onJoin && !waits && (
          <Button size={44} className="mt-2 px-4!" onClick={onJoin}>
            {say('Add to membership')}
          </Button>
        )}
      </div>
      <IconButton icon="pencil" label={say('Edit {name}', { name: pet.name })} onClick={onEdit} />
    </li>
  )
}

const Line = ({ icon, look, children }: { icon?: IconName; look: string; children: string }) => (
  <p className={`flex items-start gap-[6px] text-14 ${look}`}>
    {icon && <Icon name={icon} size={16} className="mt-[2px]" />}
    {children}
  </p>
)

export function coverSaid({ state, from, why }: Pet['cover']): {
  words: string
  icon?: IconName
  look: string
} {
  if (state === 'covered')
    return { words: say('Covered by PawCare'), icon: 'shield-check', look: 'font-medium text-green' }
  if (state === 'waiting')
    return {
      words: from ? say('PawCare begins {time}', { time: dayAndTime(from) }) : say('PawCare begins soon'),
      icon: 'clock',
      look: 'font-medium text-amber',
    }
  const look = 'text-ink-soft'
  if (state === 'opted_out') return { words: say('Opted out of PawCare'), look }
  if (why === 'age') return { words: say('PawCare begins at 8 weeks of age'), look }
  if (why === 'species') return { words: say('PawCare is for cats and dogs'), look }
  return { words: say('No PawCare without a membership'), look }
}
