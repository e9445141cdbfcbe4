import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref } from 'react'
import type { Refusal } from '../ui/form.tsx'
import { CardInput } from '../ui/card-field.tsx'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'
import type { CardHandle, OnCardTrouble } from './card-handle.ts'
import { CardMark } from './card-mark.tsx'
import {
  brandName,
  brandOf,
  type CardTyped,
  type CardWrong,
  codeLength,
  codePlace,
  digitsOf,
  expiryOf,
  groupedNumber,
  spacedExpiry,
  wrongCard,
} from './card-rules.ts'
import { cardToken } from './queries.ts'

type Part = keyof CardTyped
const PARTS: Part[] = ['number', 'expiry', 'code']

/** Adds the gaps during typing and keeps the caret behind the same digit. */
function respace(input: HTMLInputElement, format: (typed: string) => string) {
  const caret = input.selectionStart ?? input.value.length
  const atEnd = caret === input.value.length
  const spaced = format(input.value)
  if (spaced === input.value) return
  let behind = digitsOf(input.value.slice(0, caret)).length
  let at = 0
  while (behind > 0 && at < spaced.length) if (/\d/.test(spaced[at++]!)) behind--
  input.value = spaced
  if (document.activeElement === input) {
    const to = atEnd ? spaced.length : at
    input.setSelectionRange(to, to)
  }
}

/** Stands in for the payment provider's fields while no key is configured. Only the field has the whole number. */
export function TestCard({ ref, onWrong }: { ref: Ref<CardHandle>; onWrong?: OnCardTrouble | undefined }) {
  const inputs = useRef<{ [P in Part]?: HTMLInputElement | null }>({})
  const [seen, setSeen] = useState('')
  const [wrong, setWrong] = useState<CardWrong>({})

  const tell = useEffectEvent((found: CardWrong) =>
    onWrong?.(
      PARTS.flatMap((part) => {
        const message = found[part]
        return message ? [{ name: part, message, focus: () => inputs.current[part]?.focus() }] : []
      }),
    ),
  )
  useEffect(() => tell(wrong), [wrong])

  const typed = (): CardTyped => {
    const of = (part: Part) => inputs.current[part]?.value ?? ''
    return { number: of('number'), expiry: of('expiry'), code: of('code') }
  }
  const judge = (part: Part) => setWrong((before) => ({ ...before, [part]: wrongCard(typed())[part] }))

  useImperativeHandle(
    ref,
    () => ({
      judge: () => setWrong(wrongCard(typed())),
      async token() {
        const card = typed()
        const found = wrongCard(card)
        setWrong(found)
        const first = PARTS.find((part) => found[part])
        if (first) {
          inputs.current[first]?.focus()
          throw { errors: [] } satisfies Refusal
        }
        const { month, year } = expiryOf(card.expiry)!
        const { token } = await cardToken({
          number: digitsOf(card.number),
          exp_month: month,
          exp_year: year,
          cvc: card.code,
        })
        return token
      },
    }),
    [],
  )

  const field = (part: Part, format: (typed: string) => string) => ({
    ref: (element: HTMLInputElement | null) => void (inputs.current[part] = element),
    error: wrong[part],
    onChange: ({ target, nativeEvent }: { target: HTMLInputElement; nativeEvent: Event }) => {
      const deletes = (nativeEvent as InputEvent).inputType?.startsWith('delete')
      if (!(deletes && part === 'expiry')) respace(target, format)
      // The first digits show the brand. The rest of the number isn't stored.
      if (part === 'number') setSeen(digitsOf(target.value).slice(0, 4))
      if (wrong[part]) judge(part)
    },
    onBlur: ({ target }: { target: HTMLInputElement }) => {
      if (target.value) judge(part)
    },
  })
  const brand = brandOf(seen)

  return (
    <div role="group" aria-label={say('Card')} className="stack gap-5">
      <CardInput
        label={say('Card number')}
        autoComplete="cc-number"
        maxLength={30}
        mark={
          <>
            <CardMark brand={brand} />
            {brand && <span className="sr-only">{brandName(brand)}</span>}
          </>
        }
        {...field('number', groupedNumber)}
      />
      <div className="grid grid-cols-2 items-start gap-4">
        <CardInput
          label={say('Expiry date')}
          autoComplete="cc-exp"
          maxLength={10}
          help={say('MM / YY')}
          {...field('expiry', spacedExpiry)}
        />
        <CardInput
          label={say('Security code')}
          autoComplete="cc-csc"
          maxLength={4}
          help={codePlace(seen)}
          {...field('code', (code) => digitsOf(code).slice(0, codeLength(seen)))}
        />
      </div>
      <Note tone="info" icon="credit-card" title={say('This is a test card field')}>
        {say(
          'Real cards don’t work here and nothing is charged. Use {number} with any future date and any security code.',
          { number: <span className="tabular-nums">4242 4242 4242 4242</span> },
        )}
      </Note>
    </div>
  )
}
