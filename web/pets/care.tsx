import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CARE_REVIEWED_BY } from '#contract/care.ts'
import type { Pet } from '#contract/pets.ts'
import { useSignedIn } from '../accounts/queries.ts'
import { ApiError } from '../lib/api.ts'
import { nameList } from '../lib/name-list.ts'
import { useAccountChanges } from '../lib/account-changes.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Note } from '../ui/note.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'
import { OwnerRecord } from '../records/owner-record.tsx'
import { CarePlan } from './care-plan.tsx'
import { CarePrint } from './care-print.tsx'
import { PetFace } from './pet-face.tsx'
import { myPets } from './queries.ts'

export function Care() {
  const signedIn = useSignedIn()
  useAccountChanges()
  const pets = useQuery({ ...myPets, enabled: signedIn })
  const isStaff = pets.error instanceof ApiError && pets.error.status === 403
  useEffect(() => {
    if (isStaff) location.replace('/myaccount')
  }, [isStaff])

  const all = signedIn ? pets.data : undefined
  const planned = all?.filter(({ care }) => care.length > 0) ?? []
  const others = all?.filter(({ care }) => care.length === 0) ?? []

  return (
    <>
      <div className="wrap stack gap-8 pt-8 pb-16 lg:pt-12 lg:pb-24">
        <div className="stack gap-2">
          <p>
            <LinkButton variant="text" size={44} icon="chevron-left" href="/myaccount" className="-ml-3">
              {say('My account')}
            </LinkButton>
          </p>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h1 className="t36">{say('Care plans')}</h1>
            {planned.length > 0 && <Button onClick={() => print()}>{say('Print')}</Button>}
          </div>
          <p className="lead">
            {say('What keeps them well, and when it’s due. Tick things off as you do them.')}
          </p>
        </div>
        {!all ? (
          <Card flush>
            <RowsLoading
              of={{ isError: pets.isError && !isStaff, refetch: pets.refetch }}
              what={say('your care plans')}
            />
          </Card>
        ) : all.length === 0 ? (
          <Card>
            <Empty
              scene="empty-no-pets"
              title={say('No pets yet')}
              action={
                <LinkButton variant="primary" href="/myaccount">
                  {say('Go to My account')}
                </LinkButton>
              }
            >
              {say('Add a pet there and its plan will show here.')}
            </Empty>
          </Card>
        ) : planned.length === 0 ? (
          <>
            <WithoutMembership />
            <Records pets={all} />
          </>
        ) : (
          <>
            <Reviewed />
            {planned.map((pet) => (
              <div
                key={pet.id}
                className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2 lg:items-start"
              >
                <CarePlan pet={pet} />
                <RecordOf pet={pet} />
              </div>
            ))}
            {others.length > 0 && (
              <p className="text-ink-soft">
                {others.length === 1
                  ? say('{pet} doesn’t have a plan yet, because plans come with a place on a membership.', {
                      pet: others[0]!.name,
                    })
                  : say('{pets} don’t have plans yet, because plans come with a place on a membership.', {
                      pets: nameList(others.map(({ name }) => name)),
                    })}
              </p>
            )}
            <Records pets={others} />
          </>
        )}
      </div>
      {planned.length > 0 && <CarePrint pets={planned} />}
    </>
  )
}

const RecordOf = ({ pet }: { pet: Pet }) => (
  <OwnerRecord pet={pet} face={<PetFace species={pet.species_id} picture={pet.pet_image} size={48} />} />
)

/** For pets without a plan. */
const Records = ({ pets }: { pets: Pet[] }) =>
  pets.length > 0 && (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2 lg:items-start">
      {pets.map((pet) => (
        <RecordOf key={pet.id} pet={pet} />
      ))}
    </div>
  )

const Reviewed = () => (
  <Note tone="info" title={say('A general plan to start from')}>
    {CARE_REVIEWED_BY
      ? say('Reviewed by {vet}.', { vet: CARE_REVIEWED_BY })
      : say('It’s based on species and age, and no vet has reviewed it yet.')}{' '}
    {say('Your own vet knows your pet. Follow their advice, and move the dates to match.')}
  </Note>
)

const WithoutMembership = () => (
  <Card>
    <Empty
      scene="empty-no-pets"
      title={say('Care plans come with a membership')}
      action={
        <LinkButton variant="primary" href="/petculture-plus">
          {say('See the plans')}
        </LinkButton>
      }
    >
      {say(
        'Vaccination, worms and fleas, teeth, weight and check-ups for each pet, with dates by age and a reminder before each.',
      )}
    </Empty>
  </Card>
)
