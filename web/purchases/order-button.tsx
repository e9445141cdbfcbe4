import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'

interface Props {
  form: string
  busy: boolean
  busyLabel: string
  /** Why it is disabled, whatever was typed. */
  off?: string | undefined
  /** What the form still needs. Without the terms, the button is disabled as well. */
  next: string | undefined
  agreed: boolean
  children: ReactNode
}

/** Sends a form that sells or signs up. Below it is what the form still needs. */
export const OrderButton = ({ off, next, agreed, busy, ...button }: Props) => {
  const why = off ?? (agreed ? undefined : next)
  return (
    <>
      <Button
        type="submit"
        variant="primary"
        size={56}
        wide
        busy={busy}
        off={busy ? undefined : why}
        {...button}
      />
      {!why && !busy && next && <p className="text-center text-14 text-ink-soft">{next}</p>}
    </>
  )
}
