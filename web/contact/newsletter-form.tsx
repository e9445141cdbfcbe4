import { useEffect, useRef } from 'react'
import * as lengths from '#contract/lengths.ts'
import { useIslandForm } from '../lib/island-form.ts'
import { say } from '../ui/say.ts'
import { Trap } from '../ui/trap.tsx'

const control =
  'mt-1 block min-h-12 w-full rounded-small border border-line-strong bg-card px-3.5 text-16 text-ink'
/** Loaded only when it is shown. */
export default function NewsletterForm({ onClose }: { onClose: () => void }) {
  const { state, wrong, onSubmit } = useIslandForm('/newsletter')
  const title = useRef<HTMLHeadingElement>(null)

  // Without listen(), which every public page would then load.
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => key === 'Escape' && onClose()
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onClose])
  useEffect(() => document.activeElement?.scrollIntoView({ block: 'nearest' }), [])

  // The button that had the focus has disappeared.
  useEffect(() => {
    if (state === 'sent') title.current?.focus()
  }, [state])

  return (
    <section
      role="dialog"
      aria-labelledby="newsletter-title"
      className="fixed inset-x-3 bottom-3 z-30 stack gap-2 rounded-card border border-line bg-card p-4 sm:gap-4 sm:p-5 shadow-float sm:right-4 sm:left-auto sm:w-92 print:hidden [html:has(dialog:modal)_&]:hidden"
    >
      <div className="flex items-start justify-between gap-3">
        <h2 ref={title} id="newsletter-title" tabIndex={-1} className="t18 sm:text-22">
          {state === 'sent' ? say('Almost there') : say('Pet news worth reading')}
        </h2>
        <button
          type="button"
          aria-label={say('Close')}
          onClick={onClose}
          className="-mt-2 -mr-2 grid size-11 flex-none place-items-center rounded-full hover:bg-green-soft hover:text-green-soft-ink focus-visible:rounded-full"
        >
          <svg width={20} height={20} viewBox="0 0 24 24" aria-hidden="true" className="drawn">
            <path d="M18 6 6 18M6 6l12 12" />
          </svg>
        </button>
      </div>
      {state === 'sent' ? (
        <p role="status">{say('We’ve sent you an email. Press the button in it to join the list.')}</p>
      ) : (
        <form
          onSubmit={onSubmit}
          className="grid grid-cols-[repeat(2,minmax(0,1fr))] gap-3 *:col-span-2 max-sm:text-14"
        >
          <p className="text-ink-soft">
            {say('Tick season, first aid, new guides. Unsubscribe with one click.')}
          </p>
          <label className="font-semi max-sm:col-span-1!">
            {say('Name')}
            <input
              name="name"
              required
              maxLength={lengths.fullName}
              autoComplete="name"
              className={control}
            />
          </label>
          <label className="font-semi max-sm:col-span-1!">
            {say('Email')}
            <input
              name="email"
              type="email"
              required
              maxLength={lengths.email}
              autoComplete="email"
              className={control}
            />
          </label>
          <Trap />
          <p role="alert" className="text-14 font-medium text-red empty:hidden">
            {wrong}
          </p>
          <button
            type="submit"
            className="inline-flex min-h-12 items-center justify-center rounded-full bg-green px-6 font-semi text-on-green hover:bg-green-hover focus-visible:rounded-full"
          >
            {state === 'sending' ? say('Joining…') : say('Join our community')}
          </button>
        </form>
      )}
    </section>
  )
}
