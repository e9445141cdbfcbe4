import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { ageOf } from '../lib/dates.ts'
import type { Photo } from '../consultations/photo-draft.ts'
import type { QueueStatus } from '../consultations/wait.tsx'
import type { CardHandle, CardTrouble } from '../payments/card-handle.ts'
import { SPECIES, speciesOf } from '../pets/pet-face.tsx'
import { birthTyped } from '../pets/pet-rules.ts'
import { PetAvatar } from '../ui/avatar.tsx'
import { ChoiceCard, Choices } from '../ui/choice-card.tsx'
import { FormSection, useForm } from '../ui/form.tsx'
import { useLate } from '../ui/late.ts'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { replaceAddress } from '../lib/page-address.tsx'
import { speciesTyped } from '../pets/first-pet.ts'
import { FirstPetPart } from '../pets/first-pet-part.tsx'
import { type Bill, PayButton, Price, sayPress, Sum, type Told, useBill } from './bill.tsx'
import { BuyerPart } from './buyer-part.tsx'
import { useBuying } from './buying.ts'
import { CardPart } from '../purchases/card-part.tsx'
import { CouponBox } from '../purchases/coupon-box.tsx'
import { Finishing } from './finishing.tsx'
import { WhatIsNext } from './notices.tsx'
import { preloadRoom } from './preload-room.ts'
import { missingNext } from '../purchases/missing-next.ts'
import { useWhyDisabled } from '../purchases/why-disabled.ts'
import { OrderForm } from '../purchases/order-form.tsx'
import { PaymentAlert } from '../purchases/payment-alert.tsx'
import { OfflineNote } from '../purchases/offline-note.tsx'
import { type ConsultType, NOTHING_TYPED, purchaseRules, type PurchaseTyped } from './purchase-rules.ts'
import { ContactWays } from '../shell/contact-ways.tsx'
import { TermsBox } from '../lib/terms-box.tsx'
import { ConsultFacts } from './consult-facts.tsx'
import { useConsultType, VideoCheck } from './video-check.tsx'

const loadPhotos = () => import('../consultations/photos.tsx')

/** Once another code was typed or the code was removed, a reload doesn't bring back the link's code. */
function renameCoupon(code: string) {
  const { pathname, searchParams: asked, hash } = new URL(location.href)
  if (!asked.has('coupon')) return
  if (code) asked.set('coupon', code)
  else asked.delete('coupon')
  replaceAddress(pathname + (asked.size > 0 ? `?${asked.toString()}` : '') + hash)
}

export function Buying({
  user,
  queue,
  isShut,
}: {
  user: User | undefined
  queue: QueueStatus | undefined
  isShut: boolean
}) {
  const form = useForm({ rules: purchaseRules, defaults: NOTHING_TYPED, draft: 'purchase' })
  const [type, setType] = useConsultType()
  const typed = form.hook.watch()
  const [told, setTold] = useState<Told>()
  const bill = useBill(typed.coupon, told)
  const card = useRef<CardHandle>(null)
  /** What's wrong, in pictures. They stay on this device until the room sends them. */
  const [photos, setPhotos] = useState<Photo[]>([])
  const { part: photosPart } = useLate(loadPhotos)
  /** As the buyer left it. */
  const [issue, setIssue] = useState('')
  const [cardWrong, setCardWrong] = useState<CardTrouble[]>([])
  const buying = useBuying({
    form,
    type,
    bill,
    card,
    photos,
    onPrice: (amount) => setTold({ amount, code: typed.coupon }),
  })
  const { refused, unreached } = buying
  const { setValue, getValues } = form.hook
  function setCoupon(code: string) {
    setValue('coupon', code)
    renameCoupon(code)
  }

  // A link can bring a code, but doesn't replace one that was typed here.
  useEffect(() => {
    const brought = new URLSearchParams(location.search).get('coupon')?.trim()
    if (brought && !getValues('coupon')) setValue('coupon', brought)
  }, [getValues, setValue])
  useEffect(() => {
    if (!user) return
    for (const name of ['firstName', 'lastName', 'email', 'mobile'] as const)
      if (!getValues(name)) setValue(name, user[name])
  }, [user, getValues, setValue])
  const { agreed } = typed
  // A buyer who accepts the terms is about to pay.
  useEffect(() => {
    if (agreed) preloadRoom()
  }, [agreed])

  const whyDisabled = useWhyDisabled({ waits: bill.waits, needsCard: bill.pays > 0, resets: buying.resets })
  const off = isShut ? say('We’re not taking payments while no vet is available.') : whyDisabled
  const next = missingNext(purchaseRules, typed)
  const button = {
    form: form.id,
    bill,
    type,
    busy: form.busy || buying.busy,
    off,
    news: buying.news,
    next,
    agreed,
  }

  if (buying.found)
    return <Finishing sent={buying.found} stage={buying.stage} stuck={buying.stuck} onTry={buying.tryAgain} />
  return (
    <OrderForm
      form={form}
      onSubmit={buying.submit}
      also={bill.pays > 0 ? cardWrong : []}
      onSubmitCapture={() => card.current?.judge()}
      title={say('Your consult')}
      sum={
        <>
          <PetLine typed={typed} />
          <Sum bill={bill} type={type} />
          <div className="stack gap-3">
            <PayButton {...button} />
          </div>
          <ConsultFacts queue={queue} bill={bill} />
        </>
      }
      button={<PayButton {...button} />}
      next={<WhatIsNext pet={typed.name.trim()} queue={queue} />}
    >
      <FormSection title={say('How would you like to talk?')}>
        <TypeChoice type={type} onType={setType} bill={bill} />
        <VideoCheck form={form} type={type} onText={() => setType(CONSULT_TYPES.text)} />
        <CouponBox
          product="consult"
          code={typed.coupon}
          saves={bill.waits ? undefined : bill.says.off}
          wrong={bill.wrong}
          onCode={setCoupon}
        />
      </FormSection>
      <FirstPetPart form={form} title={say('Your pet')} />
      <FormSection title={say('What’s wrong?')}>
        <div onBlur={() => setIssue(typed.issue.trim())}>
          <Textarea
            label={say('Tell the vet what you see')}
            help={say('When it started, what’s changed, what they ate or touched.')}
            rows={4}
            {...form.field('issue')}
          />
        </div>
        {issue && <IssueRead issue={issue} species={speciesTyped(typed)} />}
        {/* The consult can be bought without photos: the room accepts them too. */}
        {photosPart ? (
          <photosPart.Photos draft="purchase" photos={photos} onPhotos={setPhotos} />
        ) : (
          <Skeleton className="h-[124px] max-w-80 rounded-card" />
        )}
      </FormSection>
      <BuyerPart form={form} isFree={bill.pays === 0} />
      <FormSection title={bill.pays === 0 ? say('Nothing to pay') : say('Payment')}>
        <PaymentAlert of={refused ?? unreached}>
          {refused && (
            <Note tone="bad" title={refused.title}>
              {refused.says}
              <ContactWays />
            </Note>
          )}
          {unreached && <OfflineNote form={form.id} press={sayPress(type, bill)} />}
        </PaymentAlert>
        {bill.pays > 0 && (
          <CardPart
            ref={card}
            pays={{ amount: bill.pays, currency: bill.currency }}
            resets={buying.resets}
            onWrong={setCardWrong}
          />
        )}
        <div className="rounded-card bg-paper-sunk p-5 lg:hidden">
          <Sum bill={bill} type={type} />
        </div>
        <TermsBox {...form.check('agreed')} />
        <div className="lg:hidden">
          <ConsultFacts queue={queue} bill={bill} />
        </div>
      </FormSection>
    </OrderForm>
  )
}

const loadWarning = () => import('./emergency-warning.tsx').then((part) => part.EmergencyWarning)

function IssueRead(read: { issue: string; species: string }) {
  const { part: EmergencyWarning } = useLate(loadWarning)
  return EmergencyWarning ? <EmergencyWarning {...read} /> : null
}

function TypeChoice({
  type,
  onType,
  bill,
}: {
  type: ConsultType
  onType: (type: ConsultType) => void
  bill: Bill
}) {
  const group = useRef<HTMLDivElement>(null)
  const hear = useEffectEvent((chosen: string) => {
    if (chosen !== String(type)) onType(Number(chosen) as ConsultType)
  })
  // The visitor may have chosen before the page hydrated.
  useEffect(() => {
    const early = group.current?.querySelector<HTMLInputElement>('input:checked')
    if (early) hear(early.value)
  }, [])
  const way = (value: ConsultType) => ({
    name: 'type',
    value: String(value),
    checked: type === value,
    onChange: () => onType(value),
    end: <Price bill={bill} />,
  })
  return (
    <div ref={group}>
      <Choices legend={<span className="sr-only">{say('Text or video')}</span>} across="two">
        <ChoiceCard
          icon="message-circle"
          title={say('Text')}
          note={say('Messages and photos. Uses little data.')}
          {...way(CONSULT_TYPES.text)}
        />
        <ChoiceCard
          icon="video"
          title={say('Video')}
          note={say('See each other. Uses more data.')}
          {...way(CONSULT_TYPES.video)}
        />
      </Choices>
    </div>
  )
}

function PetLine({ typed }: { typed: PurchaseTyped }) {
  const species = speciesTyped(typed)
  if (!species && !typed.name.trim()) return null
  const { drawing, name } = species ? speciesOf(Number(species)) : SPECIES.at(-1)!
  const birth = birthTyped(typed)
  const age = birth && /^\d{4}-\d\d-\d\d$/.test(birth) ? ageOf(birth) : undefined
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4">
      <PetAvatar species={drawing} />
      <div>
        <p className="font-semi break-words">{typed.name.trim() || say('Your pet')}</p>
        <p className="text-14 text-ink-soft">{[species && name, age].filter(Boolean).join(', ')}</p>
      </div>
    </div>
  )
}
