import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type KeyboardEvent } from 'react'
import { words } from '#contract/errors.ts'
import * as lengths from '#contract/lengths.ts'
import { ApiError } from '../lib/api.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { say, sentence } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { couponOf, type Product } from './queries.ts'

interface Props {
  /** The applied code, or one that has just stopped being valid. */
  code: string
  isOver: boolean
  /** The discount in words; undefined while we look it up. */
  saves: string | undefined
  onCode: (code: string) => void
  /** Shown instead when another discount is larger or the coupon is for another plan. */
  outdone?: string | undefined
  product: Product
}

const NOT_REACHED = sentence('We couldn’t check the code. Please try again.')

/** Folded until the buyer opens it: most people have no code. */
export function CouponBox({ code, saves, isOver, onCode, outdone, product }: Props) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState('')
  const [busy, setBusy] = useState(false)
  const box = useRef<HTMLDivElement>(null)

  /** Focuses the replacement of a pressed button that is gone, or the code that is wrong. */
  const focusOn = () =>
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('input, button')?.focus())

  async function apply() {
    const asked = (isOver ? code : typed).trim()
    if (busy) return
    if (!asked) {
      setWrong(say(words('COUPON_INVALID')))
      return focusOn()
    }
    setBusy(true)
    setWrong('')
    try {
      const coupon = await client.fetchQuery(couponOf(asked, product))
      client.setQueryData(couponOf(coupon.code, product).queryKey, coupon)
      onCode(coupon.code)
      focusOn()
    } catch (error) {
      setWrong(say(error instanceof ApiError && error.status > 0 ? error.message : NOT_REACHED))
      focusOn()
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
  function remove() {
    onCode('')
    setTyped('')
    setOpen(false)
    focusOn()
  }

  return (
    <div ref={box}>
      <div role="status">
        {code && !isOver && (
          <p className="flex flex-wrap items-center gap-x-4 text-14 font-medium text-green">
            <span className="flex items-start gap-2">
              <Icon name={outdone ? 'info' : 'circle-check'} size={16} className="mt-[3px] flex-none" />
              {saves === undefined
                ? say('Checking the coupon…')
                : (outdone ?? say('Coupon applied. You save {saves}.', { saves }))}
            </span>
            <button
              type="button"
              className="-ml-2 min-h-11 px-2 font-semi text-green underline underline-offset-4"
              onClick={remove}
            >
              {say('Remove {code}', { code })}
            </button>
          </p>
        )}
      </div>
      {(!code || isOver) &&
        (open || isOver ? (
          <TextField
            label={say('Coupon')}
            optional
            type="code"
            maxLength={lengths.code}
            value={isOver ? code : typed}
            error={isOver ? words('COUPON_INVALID') : wrong || undefined}
            onChange={({ target }) => {
              setOpen(true)
              setTyped(target.value)
              setWrong('')
              if (isOver) onCode('')
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
            onClick={() => {
              setOpen(true)
              focusOn()
            }}
          >
            <Icon name="tag" size={16} />
            {say('I have a coupon')}
          </button>
        ))}
    </div>
  )
}
