import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Output } from '#contract/call.ts'
import {
  type Claim,
  claimPays,
  INCIDENTS,
  INVOICE_BYTES,
  type Incident,
  type listClaims,
} from '#contract/claims.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { Pet } from '#contract/pets.ts'
import { money, type Region, REGIONS } from '#contract/regions.ts'
import { dayAndTime } from '../lib/dates.ts'
import { refusalOf } from '../lib/for-form.ts'
import { smallPage } from '../lib/picture.ts'
import { PetChoice } from '../pets/pet-choice.tsx'
import { PetFace } from '../pets/pet-face.tsx'
import { myPets } from '../pets/queries.ts'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { FileField } from '../ui/file-field.tsx'
import { FieldPair, Form, type FormHandle, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { allOf, RowsLoading } from '../ui/rows-loading.tsx'
import { say, sentence, spokenLocale } from '../ui/say.ts'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { AMOUNT_HELP } from '../shell/region-words.ts'
import { amountTyped, claimRules, type ClaimTyped, coveredUntil, whyNot } from './claim-rules.ts'
import { myClaims, useMakeClaim } from './queries.ts'

const TITLE = sentence('Claim for a vet bill')
const NOT_SENT = sentence(
  'We couldn’t reach VetChat, so the claim may not have arrived. Everything you entered is still here. Please send it again: it will only count once.',
)

type Known = Output<typeof listClaims>

interface Props {
  region: Region
  onClose: () => void
  onShowAll: () => void
}

/** A claim for one of the seven emergencies. Shows what it would pay before it is sent. */
export function ClaimDialog(props: Props) {
  const pets = useQuery(myPets)
  const known = useQuery(myClaims)
  const [made, setMade] = useState<Claim>()
  if (made) return <Made claim={made} {...props} />
  if (pets.data && known.data) {
    const { sent_from_here, used } = known.data
    const able: Pet[] = []
    const limits: Limit[] = []
    for (const pet of pets.data) {
      const why = whyNot(pet, used.find(({ pet_id }) => pet_id === pet.id)?.incidents ?? 0, props.region)
      const until = coveredUntil(pet, props.region)
      if (!why) able.push(pet)
      if (why) limits.push({ pet, says: `${say('You can’t make a claim right now.')} ${why}` })
      else if (until) {
        const day = dayAndTime(until)
        limits.push({ pet, says: say('You can only claim for what happened before {day}.', { day }) })
      }
    }
    if (able.length > 0 && sent_from_here)
      return <ClaimForm {...props} pets={able} limits={limits} known={known.data} onMade={setMade} />
    return (
      <Dialog title={say(TITLE)} onClose={props.onClose}>
        {able.length > 0 ? (
          <ByHand pets={able} region={props.region} />
        ) : (
          <p>{say('You can’t claim for any of your pets right now.')}</p>
        )}
        <Limits of={limits} />
      </Dialog>
    )
  }
  return (
    <Dialog title={say(TITLE)} onClose={props.onClose}>
      <RowsLoading of={allOf(pets, known)} what={say('your claims')} rows={4} />
    </Dialog>
  )
}

interface Limit {
  pet: Pet
  says: string
}

function Limits({ of }: { of: Limit[] }) {
  if (of.length === 0) return null
  return (
    <ul className="stack gap-3">
      {of.map(({ pet, says }) => (
        <li key={pet.id} className="grid grid-cols-[32px_minmax(0,1fr)] items-center gap-3 text-14">
          <PetFace species={pet.species_id} picture={pet.pet_image} size={32} />
          <span className="text-ink-soft">
            <strong className="font-semi text-ink">{pet.name}:</strong> {says}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Shown while no insurer's address is configured. */
function ByHand({ pets, region }: { pets: Pet[]; region: Region }) {
  const { currency, pawcare } = REGIONS[region]
  const names = new Intl.ListFormat(spokenLocale(), { type: 'disjunction' }).format(
    pets.map(({ name }) => name),
  )
  return (
    <>
      <Note tone="info" title={say('For now, you’ll need to send claims yourself')}>
        {say('You can’t send them from this page yet. A claim for {names} still counts.', { names })}
      </Note>
      <ol className="stack list-decimal gap-3 pl-5 marker:font-semi marker:text-green">
        <li>{say('Ask your vet for an invoice with your pet’s name, the date and what was done.')}</li>
        <li>
          {say(
            'Add your name and email as they appear in your profile, and which of these happened: {incidents}.',
            {
              incidents: Object.values(INCIDENTS)
                .map((one) => say(one))
                .join(', ')
                .toLowerCase(),
            },
          )}
        </li>
        <li>
          {say('Send both to the insurer. {askUs} for the address if you don’t have it.', {
            askUs: <Link href="/contact">{say('Ask us')}</Link>,
          })}
        </li>
      </ol>
      <p className="text-ink-soft">
        {say('PawCare pays the part above {excess}, up to {yearly} a year for each pet.', {
          excess: money(pawcare.excess, currency),
          yearly: money(pawcare.yearly, currency),
        })}
      </p>
    </>
  )
}

const Made = ({ claim, onClose, onShowAll }: Props & { claim: Claim }) => (
  <Dialog
    title={say(TITLE)}
    onClose={onClose}
    foot={
      <>
        <Button variant="primary" onClick={onClose}>
          {say('Done')}
        </Button>
        <Button variant="text" onClick={onShowAll}>
          {say('My claims')}
        </Button>
      </>
    }
  >
    <Empty scene="success" title={say('Your claim for {name} is with us', { name: claim.pet.name })}>
      {say('PawCare would pay {sum}.', { sum: money(claim.would_pay, claim.currency) })}{' '}
      {say('We’ll send it to the insurer, who will decide and write to you. Keep the invoice until then.')}
    </Empty>
  </Dialog>
)

/** The form's one upload: its progress, and how to cancel it. */
function useSending(onMade: (claim: Claim) => void) {
  const send = useMakeClaim()
  const [sent, setSent] = useState<number>()
  const going = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => going.current?.abort(), [])

  async function submit(typed: ClaimTyped) {
    const { signal } = (going.current = new AbortController())
    setSent(0)
    try {
      const claim = await send({
        claim: {
          pet_id: Number(typed.pet_id),
          incident: typed.incident as Incident,
          happened_on: typed.happened_on,
          amount: amountTyped(typed.amount)!,
          invoice: typed.invoice!,
        },
        signal,
        onProgress: (far) => setSent(Math.min(far, 0.99)),
      })
      if (claim) return onMade(claim)
    } catch (error) {
      throw refusalOf(error, say(NOT_SENT))
    } finally {
      setSent(undefined)
    }
    // Cancelled: the form and its draft stay.
    throw { errors: [] }
  }
  return { sent, submit, callOff: () => going.current?.abort() }
}

interface FormProps extends Props {
  pets: Pet[]
  limits: Limit[]
  known: Known
  onMade: (claim: Claim) => void
}

function ClaimForm({ region, pets, limits, known, onMade, onClose }: FormProps) {
  const { sent, submit, callOff } = useSending(onMade)
  const form = useForm({
    rules: claimRules,
    defaults: {
      pet_id: pets.length === 1 ? String(pets[0]!.id) : '',
      incident: '',
      happened_on: '',
      amount: '',
      invoice: null as File | null,
    } satisfies ClaimTyped as ClaimTyped,
    draft: 'claim',
  })
  const typed = form.hook.watch()

  return (
    <Dialog
      onClose={onClose}
      title={say(TITLE)}
      foot={
        <>
          <Button
            type="submit"
            form={form.id}
            variant="primary"
            busy={form.busy}
            busyLabel={say('Sending… {percent}%', { percent: Math.round((sent ?? 0) * 100) })}
          >
            {say('Send claim')}
          </Button>
          {/* It has its place on phones too. Otherwise "Stop sending" appears under the finger that presses twice. */}
          <Button variant="text" onClick={form.busy ? callOff : onClose}>
            {form.busy ? say('Stop sending') : say('Close')}
          </Button>
        </>
      }
    >
      <Form form={form} onSubmit={submit}>
        <div className="stack gap-4">
          <PetChoice pets={pets} {...form.field('pet_id')} />
          <Limits of={limits} />
        </div>
        <Select label={say('What happened?')} {...form.field('incident')}>
          <option value="">{say('Choose one')}</option>
          {Object.entries(INCIDENTS).map(([name, says]) => (
            <option key={name} value={name}>
              {say(says)}
            </option>
          ))}
        </Select>
        <FieldPair>
          <DateField {...form.control('happened_on')} label={say('The day it happened')} />
          <TextField
            label={say('Amount of the invoice')}
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            help={say(AMOUNT_HELP[REGIONS[region].currency])}
            className="tabular-nums"
            {...form.field('amount')}
          />
        </FieldPair>
        <InvoiceField form={form} sent={sent} />
        <WouldPay typed={typed} region={region} known={known} />
      </Form>
    </Dialog>
  )
}

function InvoiceField({ form, sent }: { form: FormHandle<ClaimTyped>; sent: number | undefined }) {
  const { setError, setValue } = form.hook
  /** A large picture takes a while to shrink, and another file may be chosen meanwhile. */
  const latest = useRef<File>(null)
  async function choose(file: File | null) {
    latest.current = file
    const wrong = (message: string) => {
      setValue('invoice', null)
      setError('invoice', message)
    }
    setError('invoice', undefined)
    if (!file) return setValue('invoice', null)
    const ready = (await isPdf(file)) ? file : await smallPage(file)
    if (latest.current !== file) return
    if (!ready) return wrong(sentenceOf('CLAIM_INVOICE_WRONG_TYPE'))
    if (ready.size > INVOICE_BYTES) return wrong(sentenceOf('CLAIM_INVOICE_TOO_LARGE'))
    setValue('invoice', ready)
  }
  return (
    <FileField
      {...form.control('invoice')}
      label={say('Vet’s invoice')}
      choose={say('Add the invoice')}
      change={say('Choose another')}
      accept="application/pdf,image/jpeg,image/png"
      help={say('A PDF, or a picture of the whole page. Up to 10 MB.')}
      onValueChange={(file) => void choose(file)}
      progress={sent}
    />
  )
}

const isPdf = async (file: Blob) => (await file.slice(0, 5).text()) === '%PDF-'

function WouldPay({ typed, region, known }: { typed: ClaimTyped; region: Region; known: Known }) {
  const { currency, pawcare } = REGIONS[region]
  const amount = amountTyped(typed.amount)
  const used = known.used.find(({ pet_id }) => String(pet_id) === typed.pet_id)
  const paid = used?.paid ?? 0
  const pays = amount === undefined ? 0 : claimPays(region, amount, paid)
  const left = Math.max(0, pawcare.yearly - paid)
  const said = (minor: number) => money(minor, currency)
  return (
    <div role="status">
      {amount !== undefined && typed.pet_id && (
        <Note
          tone={pays > 0 ? 'info' : 'wait'}
          icon="shield-check"
          title={
            pays > 0 ? say('PawCare would pay {sum}', { sum: said(pays) }) : say('PawCare would pay nothing')
          }
        >
          {amount <= pawcare.excess
            ? say('You pay the first {excess} of each invoice, and this one is {amount}.', {
                excess: said(pawcare.excess),
                amount: said(amount),
              })
            : pays < amount - pawcare.excess
              ? say('{left} is left of the {yearly} limit for this membership year.', {
                  yearly: said(pawcare.yearly),
                  left: said(left),
                })
              : say('{amount} less the {excess} excess. The insurer decides.', {
                  amount: said(amount),
                  excess: said(pawcare.excess),
                })}{' '}
          {pays > 0
            ? say('It would be claim {n} of {most} in this membership year.', {
                n: (used?.incidents ?? 0) + 1,
                most: pawcare.incidents,
              })
            : say('It wouldn’t count towards the {most} claims in a membership year.', {
                most: pawcare.incidents,
              })}
        </Note>
      )}
    </div>
  )
}
