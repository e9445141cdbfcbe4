import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Pet } from '#contract/pets.ts'
import { Card } from '../ui/card.tsx'
import { say } from '../ui/say.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { RecordSections } from './record-sections.tsx'
import { recordOfPet } from './queries.ts'

export function OwnerRecord({ pet, face }: { pet: Pick<Pet, 'id' | 'name'>; face: ReactNode }) {
  const record = useQuery(recordOfPet(pet.id))
  return (
    <Card aria-labelledby={`record-${pet.id}`} className="stack gap-4 print:hidden">
      <header className="flex items-center gap-3">
        {face}
        <div className="min-w-0">
          <h2 id={`record-${pet.id}`} className="t22">
            {say('{name}’s record', { name: pet.name })}
          </h2>
          <p className="text-14 text-ink-soft">{say('Your vet sees this at the start of each consult.')}</p>
        </div>
      </header>
      {record.data ? (
        <RecordSections pet={pet} record={record.data} changes />
      ) : (
        <RowsLoading of={record} what={say('this record')} rows={4} />
      )}
    </Card>
  )
}
