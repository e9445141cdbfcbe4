import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { sentenceOf } from '#contract/errors.ts'
import * as lengths from '#contract/lengths.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { couponOf, couponTrouble, type Product } from './queries.ts'

interface Props {
  /** The applied code, or a code that takes nothing off. */
  code: string
  /** Why the code takes nothing off. */
  wrong: string | undefined
  /** The discount in words; undefined while we look it up. */
  saves: string | undefined
  onCode: (code: string) => void
  /** Shown instead if another discount is larger, or the coupon is for another plan. */
  outdone?: string | undefined
  product: Product
}

/**
 * For changes that remove the pressed button: the first field or button of its box gets the focus, and the whole box,
 * with its error, stays clear of the button at the bottom of a phone.
 */
export function useKeptFocus() {
  const box = useRef<HTMLDivElement>(null)
  function change(to: () => void) {
    flushSync(to)
    box.current?.querySelector<HTMLElement>('input, button')?.focus()
    box.current?.scrollIntoView({ block: 'nearest' })
  }
  return { box, change }
}

/** Closed until the buyer opens it, because most people have no code. */
export function CouponBox({ code, wrong, saves, onCode, outdone, product }: Props) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [refused, setRefused] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { box, change } = useKeptFocus()

  async function apply() {
    const asked = (code || typed).trim()
    if (busy) return
    if (!asked) return change(() => setRefused(say(sentenceOf('COUPON_INVALID'))))
    setBusy(true)
    setRefused(undefined)
    try {
      const coupon = await client.fetchQuery(couponOf(asked, product))
      client.setQueryData(couponOf(coupon.code, product).queryKey, coupon)
      change(() => onCode(coupon.code))
    } catch (error) {
      change(() => setRefused(couponTrouble(error)))
    } finally {
      setBusy(false)
    }
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // This is a separate form inside the form.
    event.preventDefault()
    void apply()
  }
  const remove = () =>
    change(() => {
      onCode('')
      setTyped('')
      setOpen(false)
    })

  return (
    <div ref={box}>
      <div role="status">
        {code && !wrong && (
          <AppliedCode code={code} counts={!outdone} onRemove={remove}>
            {saves === undefined
              ? say('Checking the coupon…')
              : (outdone ?? say('Coupon applied. You save {saves}.', { saves }))}
          </AppliedCode>
        )}
      </div>
      {(!code || wrong) &&
        (open || wrong ? (
          <TextField
            label={say('Coupon')}
            optional
            type="code"
            maxLength={lengths.code}
            value={code || typed}
            error={wrong ?? refused}
            onChange={({ target }) => {
              setOpen(true)
              setTyped(target.value)
              setRefused(undefined)
              if (code) onCode('')
            }}
            onKeyDown={press}
            beside={
              <Button variant="soft" busy={busy} busyLabel={say('Looking…')} onClick={() => void apply()}>
                {say('Apply')}
              </Button>
            }
          />
        ) : (
          <button
            type="button"
            className="inline-flex min-h-11 items-center gap-2 font-semi text-green underline underline-offset-4"
            onClick={() => change(() => setOpen(true))}
          >
            <Icon name="tag" size={16} />
            {say('I have a coupon')}
          </button>
        ))}
    </div>
  )
}

export const AppliedCode = ({
  code,
  counts,
  onRemove,
  children,
}: {
  code: string
  /** False if another discount is larger. */
  counts: boolean
  onRemove: () => void
  children: ReactNode
}) => (
  <p className="flex flex-wrap items-center gap-x-4 text-14 font-medium text-green">
    <span className="flex items-start gap-2">
      <Icon name={counts ? 'circle-check' : 'info'} size={16} className="mt-[3px] flex-none" />
      {children}
    </span>
    <button
      type="button"
      className="-ml-2 min-h-11 px-2 font-semi text-green underline underline-offset-4"
      onClick={onRemove}
    >
      {say('Remove {code}', { code })}
    </button>
  </p>
)
