import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { FactKind } from '#contract/records.ts'
import * as lengths from '#contract/lengths.ts'
import { Button } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useId } from '../ui/id.ts'
import { say, sentence } from '../ui/say.ts'
import { useTextDraft } from '../ui/text-draft.ts'
import type { Answer } from './answers.ts'
import { kgTyped, KINDS, useDoubt } from './record-sections.tsx'
import { dayOf, kgSaid } from './weight-chart.tsx'

const COMMON_ALLERGIES = [
  sentence('Chicken'),
  sentence('Beef'),
  sentence('Grass or dust'),
  sentence('Stings'),
  sentence('A medicine'),
]

const LAST_GIVEN = [sentence('Today'), sentence('This week'), sentence('This month'), sentence('Longer ago')]

export const namesOf = (facts: { name: string; detail: string }[]) =>
  facts.map(({ name, detail }) => (detail ? `${name}, ${detail}` : name)).join('; ')

interface AskProps {
  /** Where its draft is stored. */
  draft: string
  refused: string | undefined
  onAnswer: (answer: Answer) => void
  onSkip: () => void
}

const Actions = ({ label, onSkip }: { label: string; onSkip: () => void }) => (
  <div className="flex flex-wrap gap-2">
    <Button type="submit" variant="primary">
      {label}
    </Button>
    <Button variant="text" onClick={onSkip}>
      {say('Skip')}
    </Button>
  </div>
)

const REPEATS_AFTER_MS = 400
const REPEATS_EVERY_MS = 80

/** One press acts once. Holding the button repeats it. */
function useHolding(act: (by: 1 | -1) => void) {
  const latest = useRef(act)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => void (latest.current = act))
  useEffect(() => () => clearTimeout(timer.current), [])
  const stop = () => clearTimeout(timer.current)
  return (by: 1 | -1) => {
    const repeat = () => {
      latest.current(by)
      timer.current = setTimeout(repeat, REPEATS_EVERY_MS)
    }
    return {
      onClick: () => act(by),
      onPointerDown: () => void (timer.current = setTimeout(repeat, REPEATS_AFTER_MS)),
      onPointerUp: stop,
      onPointerLeave: stop,
      onPointerCancel: stop,
    }
  }
}

/** Steps of half a kilogram above ten, and of a tenth below. */
function stepped(kg: number, by: 1 | -1) {
  const size = kg > 10 || (kg === 10 && by === 1) ? 0.5 : 0.1
  return Math.max(0.1, Math.round((kg + by * size) * 10) / 10)
}

export function AskWeight({
  last,
  draft,
  refused,
  onAnswer,
  onSkip,
}: AskProps & { last: { kg: number; on: string } | undefined }) {
  const { words: typed, write, forget } = useTextDraft(draft, last ? String(last.kg) : '')
  const [trouble, setTrouble] = useState(refused ?? '')
  const doubtOf = useDoubt(last?.kg)
  const id = useId()
  const kg = kgTyped(typed)
  const type = (next: string) => {
    write(next)
    setTrouble('')
  }
  const holding = useHolding((by) => {
    if (kg !== undefined || by === 1) type(String(stepped(kg ?? 0, by)))
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const doubt = doubtOf(kg)
    if (kg === undefined) event.currentTarget.querySelector('input')?.focus()
    if (kg === undefined || doubt) return setTrouble(doubt!)
    forget()
    onAnswer({ asked: 'weight', kg })
  }
  return (
    <form className="stack gap-3" onSubmit={send} noValidate>
      {last && (
        <p className="text-14 text-ink-soft">
          {say('On {day} it was {weight}.', { day: dayOf(last.on), weight: kgSaid(last.kg) })}
        </p>
      )}
      <div className="flex items-center gap-2">
        <IconButton label={say('Lighter')} icon="minus" aria-disabled={kg === undefined} {...holding(-1)} />
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
            onChange={({ target }) => type(target.value)}
            className="control w-36 pr-11! text-center font-semi"
          />
          <span aria-hidden="true" className="absolute inset-y-0 right-4 content-center text-ink-soft">
            {say('kg')}
          </span>
        </span>
        <IconButton label={say('Heavier')} icon="plus" {...holding(1)} />
      </div>
      <ErrorLine id={`${id}-error`}>{trouble}</ErrorLine>
      <Actions
        label={kg === undefined ? say('Save') : say('Save {weight}', { weight: kgSaid(kg) })}
        onSkip={onSkip}
      />
    </form>
  )
}

type FactsDraft = typeof BLANK
const BLANK = {
  none: false,
  /** Chosen from the common ones. */
  chosen: [] as string[],
  /** Typed in before another was added. */
  added: [] as { name: string; detail: string }[],
  name: '',
  detail: '',
}

/** Chips for common answers, a field for others, and "none", which excludes them all. */
export function AskFacts({
  kind,
  draft,
  refused,
  onAnswer,
  onSkip,
  onPhoto,
}: AskProps & { kind: FactKind; onPhoto: (photos: File[]) => void }) {
  const { words, write, forget } = useTextDraft(draft, JSON.stringify(BLANK))
  const { none, chosen, added, name, detail } = JSON.parse(words) as FactsDraft
  const [trouble, setTrouble] = useState(refused ?? '')
  const [hasPhoto, setHasPhoto] = useState(false)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const change = (to: Partial<FactsDraft>) => {
    write(JSON.stringify({ none: false, chosen, added, name, detail, ...to }))
    setTrouble('')
  }
  const chips = kind === 'allergy' ? COMMON_ALLERGIES.map((one) => say(one)) : []
  const typed = name.trim() === '' ? [] : [{ name: name.trim(), detail }]
  const send = (event: FormEvent) => {
    event.preventDefault()
    const items = [...chosen.map((one) => ({ name: one, detail: '' })), ...added, ...typed]
    if (!none && items.length === 0)
      return setTrouble(say('Choose or write an answer, or skip the question.'))
    forget()
    onAnswer({ asked: kind, items })
  }
  const chip = (label: string, on: boolean, press: () => void) => (
    <button
      key={label}
      type="button"
      aria-pressed={on}
      onClick={press}
      className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-line-strong bg-card px-4 text-left font-medium [overflow-wrap:anywhere] aria-pressed:border-green aria-pressed:bg-green-soft aria-pressed:text-green-soft-ink aria-pressed:shadow-[inset_0_0_0_1px_var(--color-green)]"
    >
      {on && <Icon name="check" size={16} />}
      {label}
    </button>
  )
  return (
    <form className="stack gap-4" onSubmit={send} noValidate>
      <div className="flex flex-wrap gap-2">
        {chip(say(KINDS[kind].none), none, () => change({ ...BLANK, none: !none }))}
        {chips.map((one) =>
          chip(one, chosen.includes(one), () =>
            change({
              chosen: chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one],
            }),
          ),
        )}
        {added.map((one) =>
          chip(namesOf([one]), true, () => change({ added: added.filter((other) => other !== one) })),
        )}
      </div>
      <div className="stack gap-1">
        <label htmlFor={id} className="font-medium">
          {kind === 'allergy' ? say('Something else') : say(KINDS[kind].name)}
        </label>
        <input
          id={id}
          ref={field}
          autoComplete="off"
          maxLength={lengths.fact}
          value={name}
          aria-invalid={trouble ? true : undefined}
          aria-describedby={trouble ? `${id}-error` : undefined}
          onChange={({ target }) => change({ name: target.value })}
          className="control"
        />
      </div>
      {kind === 'medicine' && typed.length > 0 && (
        <div role="group" aria-label={say('When was it last given?')} className="stack gap-2">
          <p aria-hidden="true" className="font-medium">
            {say('When was it last given?')}
          </p>
          <div className="flex flex-wrap gap-2">
            {LAST_GIVEN.map((one) => {
              const said = say('last given {when}', { when: say(one).toLowerCase() })
              return chip(say(one), detail === said, () => change({ detail: detail === said ? '' : said }))
            })}
          </div>
        </div>
      )}
      {(typed.length > 0 || kind === 'medicine') && (
        <div className="flex flex-wrap gap-2">
          {typed.length > 0 && (
            <Button
              variant="soft"
              size={44}
              icon="plus"
              onClick={() => {
                change({ added: [...added, ...typed], name: '', detail: '' })
                field.current?.focus()
              }}
            >
              {say('Add another')}
            </Button>
          )}
          {kind === 'medicine' && (
            <FileButton
              icon="camera"
              accept="image/jpeg,image/png"
              onFiles={(photos) => {
                onPhoto(photos)
                setHasPhoto(photos.length > 0)
              }}
            >
              {say('Photo of it')}
            </FileButton>
          )}
        </div>
      )}
      <p role="status" className="text-14 text-ink-soft empty:hidden">
        {hasPhoto &&
          say('The photo goes to the vet with your messages. Write the name too, if you can read it.')}
      </p>
      <ErrorLine id={`${id}-error`}>{trouble}</ErrorLine>
      <Actions label={say('Save and continue')} onSkip={onSkip} />
    </form>
  )
}
