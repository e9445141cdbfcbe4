import type { ReactNode } from 'react'
import type { Output } from '#contract/call.ts'
import type { getRecord } from '#contract/clinical.ts'
import type { Room } from '#contract/consultations.ts'
import { ageSaid, day } from '../lib/dates.ts'
import { caseBeside } from '../lib/room-address.ts'
import { telOf } from '../lib/tel.ts'
import { PetFace, speciesOf } from '../pets/pet-face.tsx'
import { RecordSections } from '../records/record-sections.tsx'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { standingOf } from '../consultations/case-words.ts'

type CaseRecord = Output<typeof getRecord>
type Pet = NonNullable<CaseRecord['pet']>

const sexOf = ({ sex, desexed }: Pet) =>
  [
    sex && (sex === 1 ? 'male' : 'female'),
    desexed === null ? undefined : desexed ? 'neutered' : 'not neutered',
  ].filter(Boolean)

const COVER: Record<Pet['cover']['state'], { said: string; tone: 'green' | 'amber' | 'quiet' }> = {
  covered: { said: 'PawCare', tone: 'green' },
  waiting: { said: 'PawCare pending', tone: 'amber' },
  opted_out: { said: 'No PawCare', tone: 'quiet' },
  not_eligible: { said: 'No PawCare', tone: 'quiet' },
}

/** The pet, its owner, and its earlier consults. */
export function RecordPart({
  room,
  record,
  level,
  writes,
}: {
  room: Room
  record: CaseRecord
  /** How urgent the case is; shown below the pet. */
  level: ReactNode
  writes: boolean
}) {
  const { pet, kept, owner, earlier } = record
  const cover = pet && COVER[pet.cover.state]
  return (
    <>
      <section
        aria-labelledby="pet"
        className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 border-b border-line p-4"
      >
        <PetFace species={room.pet.species_id} picture={pet?.pet_image ?? null} size={48} />
        <div className="min-w-0">
          <h2 id="pet" className="truncate text-16 font-semi">
            {room.pet.name}
          </h2>
          <p className="text-ink-soft">
            {[pet?.breed?.name ?? speciesOf(room.pet.species_id).name, ...(pet ? sexOf(pet) : [])].join(', ')}
          </p>
        </div>
        {cover && <Badge tone={cover.tone}>{cover.said}</Badge>}
      </section>
      {level}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        {pet && (
          <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
            <Fact name="Age">
              {ageSaid(pet) ?? 'Not given'}
              {pet.dob && !pet.dob_approximate && (
                <span className="block font-regular text-ink-soft">born {day(pet.dob)}</span>
              )}
            </Fact>
            <Fact name="Microchip">{pet.microchip || 'Not given'}</Fact>
          </dl>
        )}
        {pet && kept && (
          <div className="border-t border-line pt-3">
            <RecordSections pet={pet} record={kept} changes={writes} staff />
          </div>
        )}
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2 border-t border-line pt-3">
          <Fact name="Owner">
            {owner.name}
            <span className="block font-regular text-ink-soft">
              {owner.is_member ? 'Member' : 'No membership'}
            </span>
          </Fact>
          <Fact name="Mobile">
            {owner.mobile ? (
              <a
                href={telOf(owner.mobile)}
                className="inline-flex items-center whitespace-nowrap pointer-coarse:min-h-11"
              >
                {owner.mobile}
              </a>
            ) : (
              'Not given'
            )}
          </Fact>
          <Fact name="Own clinic" wide>
            {owner.own_clinic || 'None given'}
          </Fact>
        </dl>
        <div className="border-t border-line pt-3">
          <h3 className="text-ink-soft">Earlier consults</h3>
          {earlier.some((one) => one.ended_by_another) && (
            <p className="text-ink-soft">The owner can see who opens a colleague’s consult, and why.</p>
          )}
          {earlier.length === 0 ? (
            <p className="font-semi">This is the first consult</p>
          ) : (
            <ul>
              {earlier.map((one) => (
                <li key={one.id}>
                  <Link
                    href={caseBeside(one.id)}
                    className="grid min-h-9 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 text-inherit no-underline hover:underline pointer-coarse:min-h-11"
                  >
                    <span className="text-ink-soft tabular-nums">{day(one.start)}</span>
                    <span className="truncate">
                      {one.ended_by_another ? `Closed by ${one.vet_name}. Open` : one.pet_issue}
                    </span>
                    {standingOf(one) === 'cancelled' ? (
                      <span className="text-ink-soft">Cancelled</span>
                    ) : (
                      <Icon name="chevron-right" size={16} className="text-ink-soft" />
                    )}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </>
  )
}

const Fact = ({ name, wide, children }: { name: string; wide?: true; children: ReactNode }) => (
  <div className={`min-w-0 ${wide ? 'col-span-2' : ''}`}>
    <dt className="text-ink-soft">{name}</dt>
    <dd className="font-semi break-words">{children}</dd>
  </div>
)
