import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import type { OpenClinics } from '#contract/content.ts'
import type { EmergencyCheck as Check } from '#contract/urgency.ts'
import { usePageAddress } from '../lib/page-address.tsx'
import { SPECIES, speciesOf } from '../pets/pet-face.tsx'
import { PetAvatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { type Loadable, RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'
import { CHANGE, type CheckPlace, hasMoved, moveTo } from './check-place.ts'
import { GoNow, MoreSigns, Reviewed, tapped } from './go-now.tsx'
import { ClinicList, useOpenClinics } from './open-clinics.tsx'
import { checkFor, pastSigns } from './queries.ts'
import { idOfSign, SignList } from './sign-list.tsx'

interface Props {
  at: CheckPlace
  /** The signs for the animal in the address, as loaded with the page. */
  given: Check | null
  /** Where to go, as loaded with the page. */
  clinics: OpenClinics | null
  /** What a consult costs; null while no vet is on duty. */
  price: string | null
}

/** Asks for signs of an emergency before a purchase. Its forms work without scripts, as each answer is an address. */
export function EmergencyCheck({ at, given, clinics, price }: Props) {
  const { species } = at
  if (species === undefined) return <Animal at={at} isShut={price === null} />
  return <OfAnimal key={species} at={{ ...at, species }} given={given} clinics={clinics} price={price} />
}

/** A form whose buttons and boxes make up the next address. */
function Ask({ at, children, className }: { at: CheckPlace; children: ReactNode; className?: string }) {
  function answer(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const sent = [...new FormData(event.currentTarget, submitter)].map(([name, value]) => [
      name,
      String(value),
    ])
    moveTo(`${location.pathname}?${new URLSearchParams(sent).toString()}`)
  }
  return (
    <form onSubmit={answer} className={className}>
      {at.rest.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

/** The heading of a step. It gets the focus when another step led to it. */
function useHeading() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasMoved()) heading.current?.focus()
  }, [])
  return heading
}

const frame = 'wrap stack gap-6 py-6 lg:py-12'

function Animal({ at, isShut }: { at: CheckPlace; isShut: boolean }) {
  const heading = useHeading()
  return (
    <Ask at={at} className={frame}>
      <div className="stack gap-2">
        <h1 ref={heading} tabIndex={-1} className="t36">
          {say('Which animal needs help?')}
        </h1>
        <p className="text-ink-soft">
          {isShut
            ? say('A quick check tells you whether it can wait until a vet is back.')
            : say('Then a quick check for an emergency. It takes ten seconds.')}
        </p>
      </div>
      <div className="grid max-w-[720px] grid-cols-[repeat(auto-fill,minmax(min(6rem,42vw),1fr))] gap-2">
        {SPECIES.map(({ id, drawing, name }) => (
          <button
            key={id}
            type="submit"
            name="species"
            value={id}
            className="grid content-start justify-items-center gap-2 rounded-card border border-line-strong bg-card px-1 py-3 text-center leading-5 font-medium transition-colors hover:border-green hover:bg-green-soft active:bg-green-soft"
          >
            <PetAvatar species={drawing} size={56} />
            {say(name)}
          </button>
        ))}
      </div>
    </Ask>
  )
}

function OfAnimal({ at, given, clinics, price }: Props & { at: CheckPlace & { species: number } }) {
  const { species } = at
  const asked = useQuery({ ...checkFor(species), initialData: given ?? undefined })
  const check = asked.data
  const sign = check && at.step === 'found' ? tapped(check, at.signs) : undefined
  const { href } = usePageAddress()
  const last = useRef<string>(undefined)
  useEffect(() => {
    // Somebody who returns to the signs continues where they were.
    if (sign) last.current = sign.id
    else if (last.current) document.getElementById(idOfSign(last.current))?.focus()
  }, [sign, href])
  if (check && sign) return <Found at={at} check={check} sign={sign} clinics={clinics} price={price} />
  return <Signs at={at} asked={asked} isShut={price === null} />
}

function Signs({
  at,
  asked,
  isShut,
}: {
  at: CheckPlace & { species: number }
  asked: Loadable & { data: Check | undefined }
  isShut: boolean
}) {
  const check = asked.data
  const { drawing, name } = speciesOf(at.species)
  const heading = useHeading()
  return (
    <Ask at={at} className="flex min-h-[calc(100dvh-var(--header)-1px)] flex-col lg:min-h-0">
      <input type="hidden" name="species" value={at.species} />
      <div className="wrap w-full pt-4 pb-4 lg:pt-10">
        <div className="stack gap-2 lg:justify-items-start">
          <p className="flex min-h-11 items-center gap-3 leading-tight">
            <PetAvatar species={drawing} size={40} />
            <span className="font-semi">{say('Your {animal}', { animal: name.toLowerCase() })}</span>
            <a
              href={addressWith(at, [CHANGE])}
              onClick={follow}
              className="-mr-2 ml-auto inline-flex min-h-11 items-center px-2 font-semi text-green underline underline-offset-4 lg:ml-0"
            >
              {say('Change')}
            </a>
          </p>
          <h1 ref={heading} tabIndex={-1} className="t36">
            {say('Do you see any of these right now?')}
          </h1>
          <p className="text-ink-soft">
            {isShut
              ? say('Tap it if you do. No vet is on duty right now, so don’t wait for us.')
              : say('Tap it if you do. You can talk to a vet either way.')}
          </p>
        </div>
        <div className="mt-4 lg:mt-8">
          {check ? <SignList check={check} columns /> : <RowsLoading of={asked} what={say('the signs')} />}
        </div>
        {check && !check.reviewed && (
          <p className="mt-4 text-14 text-ink-soft lg:hidden">
            {say('No vet has reviewed these signs yet.')}
          </p>
        )}
      </div>
      <div
        data-foot
        className="bottom-0 z-5 mt-auto border-line pt-3 pb-[calc(12px+env(safe-area-inset-bottom))] max-lg:border-t max-lg:not-short:sticky max-lg:bg-card max-lg:shadow-float lg:mt-0 lg:pt-8 lg:pb-12"
      >
        <div className="wrap flex items-center gap-6">
          <Button
            type="submit"
            name="sign"
            value="none"
            variant="primary"
            size={56}
            className="w-full lg:w-auto lg:min-w-72"
          >
            {pastSigns(check, asked.isError)}
          </Button>
          <p className="hidden text-14 text-ink-soft lg:block">
            {isShut
              ? say('Not sure? Tap the closest one.')
              : say('Not sure? Tap the closest one. You can still talk to a vet.')}
            {check && !check.reviewed && (
              <>
                <br />
                {say('No vet has reviewed these signs yet.')}
              </>
            )}
          </p>
        </div>
      </div>
    </Ask>
  )
}

function Found({
  at,
  check,
  sign,
  clinics,
  price,
}: {
  at: CheckPlace & { species: number }
  check: Check
  sign: NonNullable<ReturnType<typeof tapped>>
  clinics: OpenClinics | null
  price: string | null
}) {
  const heading = useHeading()
  const found = useOpenClinics(at.area, clinics)
  return (
    <div className={`${frame} max-lg:max-w-[632px]`}>
      <p className="-my-2">
        <a
          href={`${addressWith(at, [['species', String(at.species)]])}#${idOfSign(sign.id)}`}
          onClick={follow}
          className="inline-flex min-h-11 items-center gap-2 font-semi text-green underline-offset-4 hover:underline"
        >
          <Icon name="arrow-left" />
          {say('Back to the signs')}
        </a>
      </p>
      <GoNow
        sign={sign}
        found={found}
        list={
          <Ask at={at}>
            <input type="hidden" name="species" value={at.species} />
            <input type="hidden" name="sign" value={sign.id} />
            <ClinicList found={found} />
          </Ask>
        }
        title={
          <h1 ref={heading} tabIndex={-1} className="t36 text-coral-soft-ink">
            {say('Go to a clinic now')}
          </h1>
        }
      >
        <Ask at={at} className="stack gap-6">
          <input type="hidden" name="species" value={at.species} />
          <input type="hidden" name="sign" value={sign.id} />
          <MoreSigns check={check} sign={sign} />
          <section className="stack gap-4" aria-labelledby="talk">
            <div className="stack gap-2">
              <h2 id="talk" className="t22">
                {price === null ? say('No vet is on duty right now') : say('Is somebody else driving?')}
              </h2>
              <p className="text-ink-soft">
                {price === null
                  ? say('Don’t wait for us. You can still see when the next vet is back.')
                  : say(
                      'A vet can help you until you get there, by text or video. It doesn’t replace the clinic.',
                    )}
              </p>
            </div>
            <Button
              type="submit"
              name="go"
              value="1"
              icon="message-circle"
              className="justify-self-start max-xs:w-full"
            >
              {price === null ? say('Continue anyway') : say('Talk to a vet on the way, {price}', { price })}
            </Button>
          </section>
        </Ask>
        <Reviewed review={check.reviewed} />
      </GoNow>
    </div>
  )
}

const addressWith = ({ rest }: CheckPlace, own: [string, string][]) =>
  `?${new URLSearchParams([...rest, ...own]).toString()}`

/** Stays in the same document on a plain click. */
function follow(event: MouseEvent<HTMLAnchorElement>) {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  moveTo(location.pathname + event.currentTarget.getAttribute('href')!)
}
