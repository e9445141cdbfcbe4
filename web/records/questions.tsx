import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PetRecord } from '#contract/records.ts'
import { DAY } from '#contract/time.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { say, type Sentence, sentence } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { useTextDraft } from '../ui/text-draft.ts'
import { type Answer, type Asked, askedKey, useAnswers } from './answers.ts'
import { AskFacts, AskWeight, namesOf } from './question-forms.tsx'
import { recordOfPet } from './queries.ts'
import { kgSaid } from './weight-chart.tsx'

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
const STUCK = sentence('We couldn’t save your answer yet. It’s kept on this device, and we’ll keep trying.')

/** What is missing from the record. "None" is an answer, but an empty list without it isn't. */
function missingIn({ weights, facts, none }: PetRecord): Asked[] {
  const last = weights.at(-1)
  const isFresh = last && Date.now() - Date.parse(last.on) < FRESH_DAYS * DAY
  const kinds = new Set([...facts, ...none].map(({ kind }) => kind))
  return ALL.filter((one) => (one === 'weight' ? !isFresh : !kinds.has(one)))
}

interface Props {
  pet: { id: number; name: string }
  consultation: number
  /** A photo of a medicine is sent in the conversation. */
  onPhoto: (photos: File[]) => void
}

/** What the vet would ask first, one question at a time, and only what is missing from the pet's record. */
export function Questions(props: Props) {
  const record = useQuery(recordOfPet(props.pet.id, props.consultation))
  if (record.data) return <Asking {...props} record={record.data} />
  // As tall as the first question, so that the text below doesn't move. While offline, no question appears.
  return record.isLoading && <Skeleton className="h-[20rem] rounded-card!" />
}

/** After a vet has joined: the open question, in one row above the message box, with its draft. */
export function FoldedQuestion(props: Props) {
  const { pet, consultation } = props
  const record = useQuery(recordOfPet(pet.id, consultation))
  const [open, setOpen] = useState(false)
  const { next, missing, isStuck, question } = useAsking(props, record.data)
  const title = useRef<HTMLButtonElement>(null)
  const last = useRef(next)
  useEffect(() => {
    if (last.current && last.current !== next) title.current?.focus()
    last.current = next
  }, [next])
  if (!next) return null
  return (
    <section
      aria-label={say('Questions from before the vet joined')}
      className="max-h-[50dvh] overflow-y-auto border-t border-line bg-card px-4 py-1 text-14 lg:px-6"
    >
      <div className="mx-auto max-w-[712px]">
        <h2 className="flex items-center gap-2">
          <button
            ref={title}
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-h-11 min-w-0 flex-1 items-center gap-3 text-left font-medium focus-visible:-outline-offset-3"
          >
            <Icon name="clipboard-list" className="text-ink-soft" />
            <span className="min-w-0 flex-1 py-1 leading-snug">
              {say(QUESTIONS[next].title, { name: pet.name })}
            </span>
            <Icon
              name="chevron-down"
              className={`text-ink-soft transition-[rotate] ${open ? '' : 'rotate-180'}`}
            />
          </button>
        </h2>
        {open && (
          <div className="pb-3 text-16">
            {question}
            {missing.length > 1 && (
              <p className="mt-3 text-14 text-ink-soft">
                {say('{count} more after this one.', { count: missing.length - 1 })}
              </p>
            )}
            <p role="status" className="text-14 text-ink-soft">
              {isStuck && say(STUCK)}
            </p>
          </div>
        )}
      </div>
    </section>
  )
}

/** Which question comes next. Questions stay in the list once answered, so that their number doesn't change. */
function useAsking({ pet, consultation, onPhoto }: Props, record: PetRecord | undefined) {
  const kept = useTextDraft(askedKey(consultation))
  const { waiting, isStuck, refused, save } = useAnswers(pet.id, consultation)
  const [again, setAgain] = useState<Asked>()
  const given = new Set(waiting.map(({ asked }) => asked))
  const missing = record ? missingIn(record).filter((one) => !given.has(one)) : []
  const { asked, skipped } = kept.words
    ? (JSON.parse(kept.words) as { asked: Asked[]; skipped: Asked[] })
    : { asked: missing, skipped: [] }
  const next = again ?? asked.find((one) => missing.includes(one) && !skipped.includes(one))
  const first = kept.words === '' && record !== undefined
  const keep = useEffectEvent(() => kept.write(JSON.stringify({ asked, skipped })))
  useEffect(() => {
    if (first) keep()
  }, [first])
  const toAsk = {
    draft: `answer:${pet.id}:${consultation}:${next}`,
    refused: next && refused[next],
    onAnswer(answer: Answer) {
      save(answer)
      setAgain(undefined)
    },
    onSkip() {
      kept.write(JSON.stringify({ asked, skipped: [...skipped, next] }))
      setAgain(undefined)
    },
  }
  const question =
    record &&
    next &&
    (next === 'weight' ? (
      <AskWeight key={next} last={record.weights.at(-1)} {...toAsk} />
    ) : (
      <AskFacts key={next} kind={next} onPhoto={onPhoto} {...toAsk} />
    ))
  return { asked, missing, waiting, isStuck, next, again: setAgain, question }
}

function Asking({ record, ...props }: Props & { record: PetRecord }) {
  const { asked, missing, waiting, isStuck, next, again, question } = useAsking(props, record)
  const { pet } = props
  const title = useRef<HTMLHeadingElement>(null)
  const last = useRef(next)
  useEffect(() => {
    if (last.current !== next) title.current?.focus()
    last.current = next
  }, [next])
  if (asked.length === 0) return null
  const done = asked.filter((one) => !missing.includes(one))
  const listed = next ? done.filter((one) => one !== next) : asked
  return (
    <Card aria-labelledby="question" className="stack gap-4">
      <div className="flex items-center gap-3 text-14 font-medium text-ink-soft tabular-nums">
        {next
          ? say('{n} of {all}', { n: asked.indexOf(next) + 1, all: asked.length })
          : say('{n} of {all} answered', { n: done.length, all: asked.length })}
        <span aria-hidden="true" className="grid flex-1 auto-cols-fr grid-flow-col gap-1">
          {asked.map((one) => (
            <span key={one} className="overflow-clip rounded-full bg-line">
              <span
                className={`block h-[6px] bg-green ${one === next ? 'w-1/2' : missing.includes(one) ? 'w-0' : ''}`}
              />
            </span>
          ))}
        </span>
      </div>
      <div>
        <h2 id="question" ref={title} tabIndex={-1} className="t22">
          {next ? say(QUESTIONS[next].title, { name: pet.name }) : say('The vet will see this first')}
        </h2>
        {next && <p className="mt-1 text-ink-soft">{say(QUESTIONS[next].help)}</p>}
      </div>
      {question}
      {listed.length > 0 && (
        <ul className={`divide-y divide-line ${next ? 'border-t border-line pt-1' : ''}`}>
          {listed.map((one) => (
            <li key={one} className="flex items-center gap-3 py-2">
              <Icon
                name={missing.includes(one) ? 'clipboard-list' : 'circle-check'}
                className={missing.includes(one) ? 'text-ink-soft' : 'text-green'}
              />
              <p className="min-w-0 flex-1 leading-snug [overflow-wrap:anywhere]">
                <span className="block font-semi">{say(QUESTIONS[one].short)}</span>
                <span className="text-14 text-ink-soft">{answerOf(one, record, waiting)}</span>
              </p>
              <Button variant="text" size={44} onClick={() => again(one)}>
                {missing.includes(one) ? say('Answer') : say('Change')}
                <span className="sr-only">: {say(QUESTIONS[one].short)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="text-14 text-ink-soft">
        {isStuck
          ? say(STUCK)
          : !next && say('Kept in {name}’s record, so we won’t ask again next time.', { name: pet.name })}
      </p>
    </Card>
  )
}

function answerOf(asked: Asked, { weights, facts, none }: PetRecord, waiting: Answer[]) {
  const given = waiting.find((one) => one.asked === asked)
  if (given?.asked === 'weight') return kgSaid(given.kg)
  if (given) return namesOf(given.items) || say('None known')
  if (asked === 'weight') {
    const last = weights.at(-1)
    return last ? kgSaid(last.kg) : say('Skipped')
  }
  const known = facts.filter(({ kind }) => kind === asked)
  if (known.length > 0) return namesOf(known)
  return none.some(({ kind }) => kind === asked) ? say('None known') : say('Skipped')
}
