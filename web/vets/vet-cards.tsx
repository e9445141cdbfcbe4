import type { ReactNode } from 'react'
import type { VetCard } from '#contract/vets.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'

/** The vets that visitors can get to know, from their own cards. Empty without any cards. */
export const VetCards = ({ vets }: { vets: VetCard[] }) => (
  <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] gap-4 lg:gap-6">
    {vets.map((vet) => (
      <li key={vet.registration} className="grid">
        <OneVet vet={vet} />
      </li>
    ))}
  </ul>
)

/** `face` replaces their picture. */
export const OneVet = ({
  vet: { name, picture, registration, languages, about, demo },
  face,
}: {
  vet: VetCard
  face?: ReactNode
}) => (
  <Card className="stack content-start gap-4">
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4">
      {face ?? <VetAvatar name={name} picture={picture} size={64} />}
      <div className="stack justify-items-start gap-1">
        <p className="t18 [overflow-wrap:anywhere]">{name}</p>
        {demo && <Badge>Demo</Badge>}
      </div>
    </div>
    {about && <p className="text-ink-soft">{about}</p>}
    <dl className="stack gap-2 self-end border-t border-line pt-4">
      <Fact name="Registration">{registration}</Fact>
      {languages.length > 0 && <Fact name="Speaks">{languages.join(', ')}</Fact>}
    </dl>
  </Card>
)

const Fact = ({ name, children }: { name: string; children: string }) => (
  <div className="flex flex-wrap justify-between gap-x-4">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="font-medium">{children}</dd>
  </div>
)
