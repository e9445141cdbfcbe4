import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { User } from '#contract/accounts.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { PaymentMethod } from '#contract/payments.ts'
import * as lengths from '#contract/lengths.ts'
import { NewPasswordField } from '../accounts/new-password-field.tsx'
import { EmailField } from '../purchases/email-field.tsx'
import { MoreAboutYou } from '../purchases/more-about-you.tsx'
import { CardPart } from '../purchases/card-part.tsx'
import { missingNext } from '../purchases/missing-next.ts'
import { useWhyDisabled } from '../purchases/why-disabled.ts'
import { OrderButton } from '../purchases/order-button.tsx'
import { OrderForm } from '../purchases/order-form.tsx'
import { PaymentAlert } from '../purchases/payment-alert.tsx'
import { OfflineNote } from '../purchases/offline-note.tsx'
import { FirstPetPart } from '../pets/first-pet-part.tsx'
import { NamePair } from '../lib/name-pair.tsx'
import { TermsBox } from '../lib/terms-box.tsx'
import { loginPath } from '../lib/login-path.ts'
import { useRegion, useSite } from '../lib/site.ts'
import { ChargedTo } from '../payments/charged-to.tsx'
import { brandName } from '../payments/card-rules.ts'
import type { CardHandle, CardTrouble } from '../payments/card-handle.ts'
import { myPaymentMethod } from '../payments/queries.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { FieldPair, FormSection, useForm } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { isJoin, useJoining } from './joining.ts'
import { joiningRules, type JoiningForm, NOTHING_TYPED } from './joining-rules.ts'
import { Done, Refusals } from './notices.tsx'
import { useOffer } from './offer.ts'
import { Codes, MembershipSum, PlanChoice, useDeals, WhatComes } from './plans.tsx'
import { Unfinished } from './unfinished.tsx'

/** The whole form with the total beside it, for new people and for owners without a membership. */
export function Joining({ user }: { user?: User }) {
  const { region } = useSite()
  const offer = useOffer()
  const { deals, deal } = useDeals(offer, user?.region ?? region)
  const rules = user ? undefined : joiningRules
  const form = useForm({
    rules,
    defaults: NOTHING_TYPED,
    draft: user ? 'upgrade' : 'joining',
  })
  const onFile = useQuery({ ...myPaymentMethod, enabled: user !== undefined })
  const [another, setAnother] = useState(false)
  const paying = useRef<HTMLDivElement>(null)
  const changeCard = (to: boolean) => {
    flushSync(() => setAnother(to))
    paying.current?.focus()
  }
  const card = useRef<CardHandle>(null)
  const [cardWrong, setCardWrong] = useState<CardTrouble[]>([])
  const joining = useJoining({ user, form, deal, card })
  const { refused, found, bought, unreached } = joining
  const typed = form.hook.watch()
  const needsCard = another || !onFile.data
  const whyDisabled = useWhyDisabled({ waits: deal.waits, needsCard, resets: joining.resets })

  if (bought && isJoin(bought.input))
    return (
      <Done title={say('Welcome to VetChat, {name}', { name: bought.input.firstName })}>
        <p>
          {say(
            'Your membership has begun, and {pet} is its first pet. Your receipt and a link to confirm your email are on their way to {email}.',
            { pet: bought.input.pet.name, email: bought.input.email },
          )}
        </p>
        <p>{say('We’re taking you to the sign-in page. Your email is already filled in.')}</p>
      </Done>
    )
  function startOver() {
    flushSync(joining.forget)
    document.getElementById(form.id)?.querySelector('input')?.focus()
  }
  if (found)
    return <Unfinished sent={found} stage={joining.stage} onTry={joining.tryAgain} onForget={startOver} />

  const off = whyDisabled ?? (user && onFile.isPending ? say('Looking for your card…') : undefined)
  const press = say('Join Now for {price}', { price: deal.says.pays })
  const button = (
    <div className="stack gap-2">
      <OrderButton
        form={form.id}
        busy={form.busy || joining.busy}
        busyLabel={bought ? say('You’re in…') : say('Joining…')}
        off={off}
        next={missingNext(rules, typed)}
        agreed={typed.agreed}
      >
        {press}
      </OrderButton>
      {refused && (
        <p role="alert" className="text-center text-14 font-medium text-red">
          {say(sentenceOf('MEMBERSHIP_NOT_CREATED'))}
        </p>
      )}
    </div>
  )

  return (
    <>
      <OrderForm
        form={form}
        onSubmit={(typed) => joining.submit(typed, needsCard)}
        onSubmitCapture={() => needsCard && card.current?.judge()}
        also={needsCard ? cardWrong : undefined}
        title={say('Your membership')}
        sum={
          <>
            <MembershipSum deal={deal} />
            {button}
          </>
        }
        button={button}
        next={<WhatComes deal={deal} />}
      >
        <FormSection title={say('Your plan')}>
          <PlanChoice deals={deals} offer={offer} />
          <Codes deal={deal} offer={offer} />
        </FormSection>
        {!user && (
          <>
            <FirstPetPart form={form} title={say('Your first pet')} />
            <OwnerPart form={form} />
          </>
        )}
        <FormSection title={say('PawCare cover')}>
          <PawCareBox form={form} />
        </FormSection>
        <FormSection title={deal.pays === 0 ? say('Nothing to pay today') : say('Payment')}>
          <PaymentAlert of={unreached}>
            {unreached && <OfflineNote form={form.id} press={press} />}
          </PaymentAlert>
          <div ref={paying} tabIndex={-1} className="stack gap-5 outline-none">
            {!needsCard && <OnFile card={onFile.data!} onAnother={() => changeCard(true)} />}
            {needsCard && !(user && onFile.isPending) && (
              <CardPart
                ref={card}
                pays={deal.pays > 0 ? { amount: deal.pays, currency: deal.currency } : undefined}
                resets={joining.resets}
                onWrong={setCardWrong}
              />
            )}
            {another && onFile.data && (
              <div>
                <Button variant="text" size={44} className="-ml-3" onClick={() => changeCard(false)}>
                  {say('Use the {brand} on file', { brand: brandName(onFile.data.brand) })}
                </Button>
              </div>
            )}
          </div>
          <div className="rounded-card bg-paper-sunk p-5 lg:hidden">
            <MembershipSum deal={deal} />
          </div>
          <div className="lg:hidden">
            <WhatComes deal={deal} />
          </div>
          <TermsBox {...form.check('agreed')} />
        </FormSection>
      </OrderForm>
      {refused && refused.says.length > 0 && (
        <Refusals
          says={refused.says}
          signIn={refused.hasAccount ? loginPath(`/upgrade?${offer.search}`) : undefined}
          onClear={joining.clear}
        />
      )}
    </>
  )
}

const OwnerPart = ({ form }: { form: JoiningForm }) => (
  <FormSection title={say('You')}>
    <AccountFields form={form} emailHelp={say('You’ll sign in with this.')} />
    <MoreAboutYou form={form} what={say('my consults')} />
  </FormSection>
)

export function AccountFields({ form, emailHelp }: { form: JoiningForm; emailHelp: string }) {
  const { phoneExample } = useRegion()
  return (
    <>
      <NamePair first={form.field('firstName')} last={form.field('lastName')} />
      <FieldPair>
        <EmailField form={form} help={emailHelp} />
        <TextField
          label={say('Mobile number')}
          type="tel"
          maxLength={lengths.mobile}
          help={say('For example, {example}', { example: phoneExample })}
          {...form.field('mobile')}
        />
      </FieldPair>
      <NewPasswordField label={say('Password')} maxLength={lengths.password} {...form.field('password')} />
      <PasswordField
        label={say('Confirm password')}
        autoComplete="new-password"
        maxLength={lengths.password}
        {...form.field('confirm')}
      />
    </>
  )
}

const PawCareBox = ({ form }: { form: JoiningForm }) => (
  <div className="stack gap-1">
    <p>
      {say(
        'Your membership includes cover for cats and dogs in seven emergencies. To provide it, we give the insurer your name and contact details, your pets’ details and your membership’s dates.',
      )}
    </p>
    <Checkbox label={say('I don’t want PawCare cover')} {...form.check('pawcareOut')} />
    <p className="pl-9 text-14 text-ink-soft">
      {say('The price stays the same, nothing goes to the insurer, and no emergency is covered.')}
    </p>
  </div>
)

const OnFile = ({ card, onAnother }: { card: PaymentMethod; onAnother: () => void }) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <ChargedTo card={card} />
    <Button variant="text" size={44} className="-mx-3 -my-2" onClick={onAnother}>
      {say('Use another card')}
    </Button>
  </div>
)
