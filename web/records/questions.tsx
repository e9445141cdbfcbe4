import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { FactKind, PetRecord } from '#contract/records.ts'
import * as lengths from '#contract/lengths.ts'
import { failed } from '../lib/api.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useId } from '../ui/id.ts'
import { say, type Sentence, sentence } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { isOdd, kgTyped, KINDS } from './pet-record.tsx'
import { recordOfPet, useAddFact, useAddWeight, useSayNone } from './queries.ts'
import { dayOf, kgSaid } from './weight-chart.tsx'

type Asked = 'weight' | FactKind
const ALL: Asked[] = ['weight', 'allergy', 'medicine', 'condition']
/** A weight is asked for again after this long. */
const FRESH_DAYS = 30

const QUESTIONS: Record<Asked, { title: Sentence<'name'>; help: Sentence; short: Sentence }> = {
  weight: {
    title: sentence('What does {name} weigh?'),
    help: sentence('A good guess is fine. Without a scale, weigh yourself with and without your pet.'),
    short: sentence('Weight'),
  },
  allergy: {
    title: sentence('Is {name} allergic to anything?'),
    help: sentence('Food, medicine, stings. Tap all that fit.'),
    short: sentence('Allergies'),
  },
  medicine: {
    title: sentence('Is {name} on any medicine?'),
    help: sentence('Tick and flea products count too.'),
    short: sentence('Medicines in use'),
  },
  condition: {
    title: sentence('Does {name} have a known condition?'),
    help: sentence('Something a vet has found before, such as a heart murmur or diabetes.'),
    short: sentence('Known conditions'),
  },
}
const COMMON_ALLERGIES = [
  sentence('Chicken'),
  sentence('Beef'),
  sentence('Grass or dust'),
  sentence('Stings'),
  sentence('A medicine'),
]

/** What the record lacks. "None" is an answer, and nothing at all is not. */
function missingIn({ weights, facts, none }: PetRecord): Asked[] {
  const last = weights.at(-1)
  const isFresh = last && Date.now() - Date.parse(last.on) < FRESH_DAYS * 86_400_000
  const kinds = new Set([...facts, ...none].map(({ kind }) => kind))
  return ALL.filter((one) => (one === 'weight' ? !isFresh : !kinds.has(one)))
}

/** What the vet would ask first, one question at a time, and only what the pet's record lacks. */
export function Questions({
  pet,
  consultation,
}: {
  pet: { id: number; name: string }
  consultation: number
}) {
  const record = useQuery(recordOfPet(pet.id, consultation))
  if (record.data) return <Asking pet={pet} consultation={consultation} record={record.data} />
  // As tall as the first question, so that what stands below doesn't move when it comes.
  return record.isPending && <Skeleton className="h-[20rem] rounded-card!" />
}

function Asking({
  pet,
  consultation,
  record,
}: {
  pet: { id: number; name: string }
  consultation: number
  record: PetRecord
}) {
  // What was missing when the page opened stays in the list, so that the count doesn't change while it's answered.
  const [asked] = useState(() => missingIn(record))
  const [skipped, skip] = useState<Asked[]>([])
  const [again, setAgain] = useState<Asked>()
  const missing = missingIn(record)
  const next = again ?? asked.find((one) => missing.includes(one) && !skipped.includes(one))
  const title = useRef<HTMLHeadingElement>(null)
  const last = useRef(next)
  useEffect(() => {
    if (last.current !== next) title.current?.focus()
    last.current = next
  }, [next])
  if (asked.length === 0) return null
  const done = asked.filter((one) => !missing.includes(one))
  const goOn = () => setAgain(undefined)
  return (
    <Card aria-labelledby="question" className="stack gap-4">
      <div className="flex items-center gap-3 text-14 font-medium text-ink-soft tabular-nums">
        {next
          ? say('{n} of {all}', { n: asked.indexOf(next) + 1, all: asked.length })
          : say('{n} of {all} answered', { n: done.length, all: asked.length })}
        <span aria-hidden="true" className="grid flex-1 auto-cols-fr grid-flow-col gap-1">
          {asked.map((one) => (
            <span
              key={one}
              className={`h-[6px] rounded-full ${missing.includes(one) ? 'bg-line' : 'bg-green'}`}
            />
          ))}
        </span>
      </div>
      {next ? (
        <>
          <div>
            <h2 id="question" ref={title} tabIndex={-1} className="t22 outline-none">
              {say(QUESTIONS[next].title, { name: pet.name })}
            </h2>
            <p className="mt-1 text-ink-soft">{say(QUESTIONS[next].help)}</p>
          </div>
          {next === 'weight' ? (
            <AskWeight
              key={next}
              pet={pet.id}
              consultation={consultation}
              last={record.weights.at(-1)}
              onDone={goOn}
              onSkip={() => (skip([...skipped, next]), goOn())}
            />
          ) : (
            <AskFacts
              key={next}
              kind={next}
              pet={pet.id}
              consultation={consultation}
              onDone={goOn}
              onSkip={() => (skip([...skipped, next]), goOn())}
            />
          )}
        </>
      ) : (
        <>
          <h2 id="question" ref={title} tabIndex={-1} className="t22 outline-none">
            {say('The vet will see this first')}
          </h2>
          <ul className="divide-y divide-line">
            {asked.map((one) => (
              <li key={one} className="flex items-center gap-3 py-2">
                <Icon
                  name={missing.includes(one) ? 'clipboard-list' : 'circle-check'}
                  className={missing.includes(one) ? 'text-ink-soft' : 'text-green'}
                />
                <p className="min-w-0 flex-1 leading-snug [overflow-wrap:anywhere]">
                  <span className="block font-semi">{say(QUESTIONS[one].short)}</span>
                  <span className="text-14 text-ink-soft">{answerOf(one, record)}</span>
                </p>
                <Button variant="text" size={44} onClick={() => setAgain(one)}>
                  {missing.includes(one) ? say('Answer') : say('Change')}
                  <span className="sr-only">: {say(QUESTIONS[one].short)}</span>
                </Button>
              </li>
            ))}
          </ul>
          <p className="text-14 text-ink-soft">
            {say('Kept in {name}’s record, so we won’t ask again next time.', { name: pet.name })}
          </p>
        </>
      )}
    </Card>
  )
}

function answerOf(asked: Asked, { weights, facts, none }: PetRecord) {
  if (asked === 'weight') {
    const last = weights.at(-1)
    return last ? kgSaid(last.kg) : say('Skipped')
  }
  const names = facts.filter(({ kind }) => kind === asked).map(({ name }) => name)
  if (names.length > 0) return names.join(', ')
  return none.some(({ kind }) => kind === asked) ? say('None known') : say('Skipped')
}

interface AskProps {
  pet: number
  consultation: number
  onDone: () => void
  onSkip: () => void
}

const Actions = ({ label, busy, onSkip }: { label: string; busy: boolean; onSkip: () => void }) => (
  <div className="flex flex-wrap gap-2">
    <Button type="submit" variant="primary" busy={busy} busyLabel={say('Saving…')}>
      {label}
    </Button>
    <Button variant="text" onClick={onSkip}>
      {say('Skip')}
    </Button>
  </div>
)

const NOT_SAVED = sentence('Not saved yet. Your answer is still here, so please try again.')

function AskWeight({
  pet,
  consultation,
  last,
  onDone,
  onSkip,
}: AskProps & { last: { kg: number; on: string } | undefined }) {
  const add = useAddWeight(consultation)
  const [typed, type] = useState(last ? String(last.kg) : '')
  const [trouble, setTrouble] = useState('')
  const [sure, setSure] = useState<number>()
  const id = useId()
  const kg = kgTyped(typed)
  const step = (by: 1 | -1) => {
    const size = (kg ?? 0) > 10 || ((kg ?? 0) === 10 && by === 1) ? 0.5 : 0.1
    type(String(Math.max(0.1, Math.round(((kg ?? 0) + by * size) * 10) / 10)))
    setTrouble('')
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (kg === undefined) return setTrouble(say('Enter the weight in kilograms, such as 4.2.'))
    if (isOdd(kg, last?.kg) && sure !== kg) {
      setSure(kg)
      return setTrouble(say('Is {weight} right? Press Save again if it is.', { weight: kgSaid(kg) }))
    }
    add.mutate({ id: pet, kg }, { onSuccess: onDone, onError: () => setTrouble(say(NOT_SAVED)) })
  }
  return (
    <form className="stack gap-3" onSubmit={send} noValidate>
      {last && (
        <p className="text-14 text-ink-soft">
          {say('On {day} it was {weight}.', { day: dayOf(last.on), weight: kgSaid(last.kg) })}
        </p>
      )}
      <div className="flex items-center gap-2">
        <IconButton label={say('Less')} icon="minus" onClick={() => step(-1)} />
        <span className="relative">
          <label htmlFor={id} className="sr-only">
            {say('Weight in kilograms')}
          </label>
          <input
            id={id}
            inputMode="decimal"
            autoComplete="off"
            maxLength={7}
            value={typed}
            aria-invalid={trouble ? true : undefined}
            aria-describedby={trouble ? `${id}-error` : undefined}
            onChange={({ target }) => {
              type(target.value)
              setTrouble('')
            }}
            className="control w-36 pr-11! text-center font-semi"
          />
          <span aria-hidden="true" className="absolute inset-y-0 right-4 content-center text-ink-soft">
            {say('kg')}
          </span>
        </span>
        <IconButton label={say('More')} icon="plus" onClick={() => step(1)} />
      </div>
      {trouble && (
        <p id={`${id}-error`} role="alert" className="text-14 font-medium text-red">
          {trouble}
        </p>
      )}
      <Actions
        label={kg === undefined ? say('Save') : say('Save {weight}', { weight: kgSaid(kg) })}
        busy={add.isPending}
        onSkip={onSkip}
      />
    </form>
  )
}

/** Chips for what is common, a field for the rest, and "none", which excludes them. */
function AskFacts({ kind, pet, consultation, onDone, onSkip }: AskProps & { kind: FactKind }) {
  const add = useAddFact(consultation)
  const sayNone = useSayNone(consultation)
  const [none, setNone] = useState(false)
  const [chosen, choose] = useState<string[]>([])
  const [typed, type] = useState('')
  const [trouble, setTrouble] = useState('')
  const id = useId()
  const { none: noneSaid, name } = KINDS[kind]
  const chips = kind === 'allergy' ? COMMON_ALLERGIES.map((one) => say(one)) : []
  const send = async (event: FormEvent) => {
    event.preventDefault()
    const names = [...chosen, typed.trim()].filter(Boolean)
    if (!none && names.length === 0)
      return setTrouble(say('Choose or write an answer, or skip the question.'))
    try {
      if (none) await sayNone.mutateAsync({ id: pet, kind })
      else for (const one of names) await add.mutateAsync({ id: pet, kind, name: one })
      onDone()
    } catch (error) {
      setTrouble(`${failed(error)} ${say(NOT_SAVED)}`)
    }
  }
  const chip = (label: string, on: boolean, press: () => void) => (
    <button
      key={label}
      type="button"
      aria-pressed={on}
      onClick={press}
      className="inline-flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-card px-4 font-medium aria-pressed:border-green aria-pressed:bg-green-soft aria-pressed:text-green-soft-ink aria-pressed:shadow-[inset_0_0_0_1px_var(--green)]"
    >
      {on && <Icon name="check" size={16} />}
      {label}
    </button>
  )
  return (
    <form className="stack gap-4" onSubmit={(event) => void send(event)} noValidate>
      <div className="flex flex-wrap gap-2">
        {chip(say(noneSaid), none, () => {
          setNone(!none)
          choose([])
          type('')
          setTrouble('')
        })}
        {chips.map((one) =>
          chip(one, chosen.includes(one), () => {
            setNone(false)
            setTrouble('')
            choose(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one])
          }),
        )}
      </div>
      <div className="stack gap-1">
        <label htmlFor={id} className="font-medium">
          {kind === 'allergy' ? say('Something else') : say(name)}
        </label>
        <input
          id={id}
          autoComplete="off"
          maxLength={lengths.fact}
          value={typed}
          aria-invalid={trouble ? true : undefined}
          aria-describedby={trouble ? `${id}-error` : undefined}
          onChange={({ target }) => {
            type(target.value)
            if (target.value) setNone(false)
            setTrouble('')
          }}
          className="control"
        />
      </div>
      {trouble && (
        <p id={`${id}-error`} role="alert" className="text-14 font-medium text-red">
          {trouble}
        </p>
      )}
      <Actions label={say('Save and continue')} busy={add.isPending || sayNone.isPending} onSkip={onSkip} />
    </form>
  )
}
