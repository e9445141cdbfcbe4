import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import type { Pet } from '#contract/pets.ts'
import { money, type Region, REGIONS } from '#contract/regions.ts'
import { PawCareCard } from '../claims/pawcare-card.tsx'
import { ChatNow, ChatNowSkeleton } from '../consultations/chat-now.tsx'
import { History, HistoryFrame, HistorySkeletons } from '../consultations/history.tsx'
import { InProgress } from '../consultations/in-progress.tsx'
import { myConsultations } from '../consultations/queries.ts'
import { useRegion } from '../lib/site.ts'
import { MembershipCard, MembershipSkeleton } from '../memberships/membership-card.tsx'
import { isManaged, isPetStock, shownOf } from '../memberships/standing.tsx'
import { LatePetDialog } from '../pets/late-pet-dialog.tsx'
import { MyPets, PetSkeletons } from '../pets/my-pets.tsx'
import { myPets } from '../pets/queries.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card, ListCard } from '../ui/card.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'
import { PlaceDialog } from './place-dialog.tsx'

/** Three calls load the page: the person, the pets, the consultations. */
export function OwnerAccount({ user }: { user: User }) {
  const pets = useQuery(myPets)
  const asked = useInfiniteQuery(myConsultations)
  const [addsPet, setAddsPet] = useState(false)
  const open = asked.data?.pages[0]?.consultations.filter(({ end }) => end === null) ?? []
  const { subscription, subscriptions } = user
  const isNew = subscriptions.length === 0
  const joinable = subscription !== null && !shownOf(subscriptions).every(isManaged)
  const addPet = () => setAddsPet(true)

  // The layout is known once both lists have loaded or failed.
  if ([pets, asked].some(({ isPending, errorUpdateCount }) => isPending && errorUpdateCount === 0))
    return (
      <>
        <Greeting user={user} isNew={isNew} />
        <AccountSkeleton />
      </>
    )
  return (
    <>
      <Greeting user={user} isNew={isNew} />
      {!user.email_confirmed && <ConfirmEmail email={user.email} />}
      <Blocks
        first={
          <>
            {open.map((consultation) => (
              <InProgress key={consultation.id} consultation={consultation} />
            ))}
            {subscription && user.can_consult ? (
              <ChatNow open={open} onAddPet={addPet} />
            ) : isNew ? (
              <FirstSteps region={user.region} pets={pets.data ?? []} onAddPet={addPet} />
            ) : null}
            {!subscription && open.length === 0 && <WithoutMembership />}
          </>
        }
        side={
          <>
            <MembershipCard all={subscriptions} />
            <MyPets managed={subscriptions.some(isPetStock)} place={joinable ? PlaceDialog : undefined} />
            {!isNew && <PawCareCard region={user.region} />}
          </>
        }
        late={<History />}
      />
      {addsPet && <LatePetDialog pet={undefined} onClose={() => setAddsPet(false)} />}
    </>
  )
}

/** On a wide page the first column has two parts, so that on a phone the side column comes between them. */
const Blocks = ({ first, side, late }: { first: ReactNode; side: ReactNode; late: ReactNode }) => (
  <div className="stack gap-8 lg:grid-cols-[minmax(0,1fr)_384px] lg:grid-rows-[auto_1fr] lg:gap-10">
    <div className="stack content-start gap-8 empty:hidden">{first}</div>
    <div className="stack content-start gap-8 md:max-lg:grid-cols-2 lg:col-start-2 lg:row-span-2 lg:row-start-1">
      {side}
    </div>
    <div className="lg:col-start-1">{late}</div>
  </div>
)

export const AccountSkeleton = () => (
  <div aria-busy="true">
    <Blocks
      first={<ChatNowSkeleton />}
      side={
        <>
          <MembershipSkeleton />
          <ListCard titleId="my-pets" title={say('My Pets')}>
            <PetSkeletons />
          </ListCard>
        </>
      }
      late={
        <HistoryFrame>
          <HistorySkeletons />
        </HistoryFrame>
      }
    />
  </div>
)

const Greeting = ({ user, isNew }: { user: User; isNew: boolean }) => (
  <div className="stack gap-2">
    <h1 className="t36">
      {isNew
        ? say('Welcome, {name}', { name: user.firstName })
        : say('Hello, {name}', { name: user.firstName })}
    </h1>
    {isNew && <p className="lead">{say('Be ready for the next bad night.')}</p>}
  </div>
)

const ConfirmEmail = ({ email }: { email: string }) => (
  <Note tone="info" icon="mail" title={say('Please confirm your email')}>
    <p>
      {say(
        'Open the link we emailed to {email}. Then nobody else can use that address here, and what you bought or insured with it joins your account.',
        { email: <span className="break-words">{email}</span> },
      )}
    </p>
    <p>
      {say('Not your address? {change}. Link expired? {reset}, which confirms it too.', {
        change: <Link href="/myaccount/profile">{say('Change it')}</Link>,
        reset: <Link href="/forgotpassword">{say('Set a new password')}</Link>,
      })}
    </p>
  </Note>
)

function FirstSteps({ region, pets, onAddPet }: { region: Region; pets: Pet[]; onAddPet: () => void }) {
  const hasPets = pets.length > 0
  const { prices, currency } = REGIONS[region]
  return (
    <Card aria-labelledby="first-steps" className="stack gap-4">
      <h2 id="first-steps" className="t22">
        {say('Get ready')}
      </h2>
      <ol>
        {pets.some(({ policy }) => policy && !policy.confirmed) ? (
          <Step n={1} now title={say('Confirm your policy')} action={undefined}>
            {say(
              'Your membership comes with it. Under My Pets, enter the code we emailed to the address your insurer has.',
            )}
          </Step>
        ) : (
          <Step
            n={1}
            now
            title={say('Choose a membership')}
            action={
              <LinkButton variant="primary" href="/petculture-plus">
                {say('See the plans')}
              </LinkButton>
            }
          >
            {say('Unlimited consults for up to five pets. {annual} a year or {monthly} a month.', {
              annual: money(prices.annual, currency),
              monthly: money(prices.monthly, currency),
            })}
          </Step>
        )}
        <Step
          n={2}
          now={false}
          title={say('Add your first pet')}
          action={hasPets ? undefined : <Button onClick={onAddPet}>{say('Add a pet')}</Button>}
        >
          {hasPets
            ? say('Done. A vet will know about them before the first question.')
            : say('So a vet knows your pet’s age, breed and history before the first question.')}
        </Step>
      </ol>
    </Card>
  )
}

const Step = ({
  n,
  now,
  title,
  action,
  children,
}: {
  n: number
  now: boolean
  title: string
  action: ReactNode
  children: ReactNode
}) => (
  <li className="grid grid-cols-[32px_minmax(0,1fr)] gap-x-4 gap-y-2 border-t border-line py-5 last:pb-0 md:grid-cols-[32px_minmax(0,1fr)_auto]">
    <span
      aria-hidden="true"
      className={`grid size-8 place-items-center rounded-full border font-bold ${now ? 'border-transparent bg-green text-on-green' : 'border-line bg-paper-sunk text-ink-soft'}`}
    >
      {n}
    </span>
    <div className="stack gap-1">
      <p className="t18">{title}</p>
      <p className="text-ink-soft">{children}</p>
    </div>
    {action && <div className="col-start-2 mt-2 md:col-start-3 md:mt-0 md:self-center">{action}</div>}
  </li>
)

function WithoutMembership() {
  const { prices, currency } = useRegion()
  return (
    <Note tone="urgent" icon="message-circle" title={say('Need a vet right now?')}>
      {say('You can talk to one without a membership, for {price}. {chat}', {
        price: money(prices.consult, currency),
        chat: <Link href="/how-it-works#hiw-pricing2">{say('Chat now')}</Link>,
      })}
    </Note>
  )
}
