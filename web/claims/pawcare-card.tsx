import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CATS_AND_DOGS } from '#contract/pets.ts'
import { money, type Region, REGIONS } from '#contract/regions.ts'
import { myPets } from '../pets/queries.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { coveredUntil } from './claim-rules.ts'
import { LateDialog } from '../ui/late-dialog.tsx'
import { say, sentence } from '../ui/say.ts'

const TITLES = { claim: sentence('Claim for a vet bill'), list: sentence('My claims') }
const loads = { claim: () => import('./claim-dialog.tsx'), list: () => import('./claims-dialog.tsx') }

/** Explains PawCare and leads to a claim, for owners with a cat or a dog. */
export function PawCareCard({ region }: { region: Region }) {
  const pets = useQuery(myPets)
  const [opened, setOpened] = useState<keyof typeof TITLES>()
  const close = () => setOpened(undefined)
  if (!pets.data?.some(({ species_id }) => CATS_AND_DOGS.includes(species_id))) return null

  const { currency, pawcare } = REGIONS[region]
  const isCovered = pets.data.some(({ cover }) => cover.state === 'covered' || cover.state === 'waiting')
  const before = !isCovered && pets.data.some((pet) => coveredUntil(pet, region) !== undefined)
  return (
    <Card aria-labelledby="pawcare" className="stack content-start gap-4 md:max-lg:col-span-full">
      <div className="flex items-center gap-3">
        <Icon name="shield-plus" size={24} className="text-green" />
        <h2 id="pawcare" className="t22">
          {say('PawCare')}
        </h2>
      </div>
      {!isCovered && !before && (
        <p>{say('None of your pets is covered now, because cover comes with a membership.')}</p>
      )}
      {before && <p>{say('Your cover ended. For something that happened before, you can still claim.')}</p>}
      <p className="text-ink-soft">
        {say(
          'In seven emergencies, it pays the part of the vet bill above {excess}, up to {yearly} a year for each pet.',
          { excess: money(pawcare.excess, currency), yearly: money(pawcare.yearly, currency) },
        )}
      </p>
      <div className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
        {(isCovered || before) && (
          <Button className="px-5!" onClick={() => setOpened('claim')}>
            {isCovered ? say(TITLES.claim) : say('Claim for an earlier bill')}
          </Button>
        )}
        <Button variant="text" className="-ml-3" onClick={() => setOpened('list')}>
          {say(TITLES.list)}
        </Button>
      </div>
      {opened === 'claim' && (
        <LateDialog load={loads.claim} title={say(TITLES.claim)} onClose={close}>
          {({ ClaimDialog }) => (
            <ClaimDialog region={region} onClose={close} onShowAll={() => setOpened('list')} />
          )}
        </LateDialog>
      )}
      {opened === 'list' && (
        <LateDialog load={loads.list} title={say(TITLES.list)} onClose={close}>
          {({ ClaimsDialog }) => <ClaimsDialog onClose={close} />}
        </LateDialog>
      )}
    </Card>
  )
}
