import { useEffect, useRef, useState, type ReactNode } from 'react'
import { FACTOR_DIGITS } from '#contract/factor.ts'
import { failed } from '../lib/api.ts'
import { noCode } from '../lib/rules.ts'
import { Button } from '../ui/button.tsx'
import { Failed } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useCheckFactor, useStartFactor, useTurnOnFactor } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** How far the set-up is: scanning, then the codes, then on. */
export function useSetUp(onDone: () => void) {
  const { mutate: start, data: started, error } = useStartFactor()
  const turnOn = useTurnOnFactor()
  const [codes, setCodes] = useState<string[]>()
  const [kept, setKept] = useState(false)
  const begun = useRef(false)
  useEffect(() => {
    if (!begun.current) start({})
    begun.current = true
  }, [start])
  return {
    started,
    wrong: error && failed(error),
    again: () => start({}),
    codes,
    setCodes,
    kept,
    setKept,
    turnOn: () => turnOn.mutate({}, { onSuccess: onDone }),
    busy: turnOn.isPending,
  }
}
type SetUp = ReturnType<typeof useSetUp>

export const TurnOn = ({ setUp: { codes, kept, turnOn, busy } }: { setUp: SetUp }) => (
  <Button
    variant="primary"
    busy={busy}
    busyLabel="Turning it on…"
    off={kept ? false : codes ? 'Tick the box first.' : 'Scan and type the code first.'}
    onClick={turnOn}
  >
    Turn it on
  </Button>
)

export function FactorSteps({ setUp }: { setUp: SetUp }) {
  const { started, wrong, again, codes, setCodes, kept, setKept } = setUp
  if (!started && wrong)
    return (
      <div className="stack gap-2">
        <p>{wrong}</p>
        <Failed what="the code to scan" onRetry={again} />
      </div>
    )
  return (
    <div className="stack gap-8 sm:grid-cols-2 sm:gap-x-8">
      <ol className="stack content-start gap-6">
        <Step number={1} title="Scan this with your authenticator app">
          {started ? (
            <Scan qr={started.qr} typed={started.key.match(/.{1,4}/g)!.join(' ')} />
          ) : (
            <Skeleton className="size-44" />
          )}
        </Step>
        <Step number={2}>
          <CodeForm isRight={codes !== undefined} onRight={setCodes} waits={!started} />
        </Step>
      </ol>
      {codes && (
        <ol start={3} className="stack content-start">
          <Step number={3} title="Keep these ten recovery codes" arrives>
            <RecoveryCodes codes={codes} kept={kept} onKept={setKept} />
          </Step>
        </ol>
      )}
    </div>
  )
}

function Step({
  number,
  title,
  arrives,
  children,
}: {
  number: number
  title?: string
  /** It appears as a result of the step before, so the focus moves to it. */
  arrives?: true
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (arrives) heading.current?.focus()
  }, [arrives])
  return (
    <li className="grid grid-cols-[28px_minmax(0,1fr)] gap-3">
      <span
        aria-hidden="true"
        className="grid size-7 place-items-center rounded-full bg-green-soft text-14 font-semi text-green-soft-ink"
      >
        {number}
      </span>
      <div className="stack gap-3 pt-[2px]">
        {title && (
          <h3 ref={heading} tabIndex={-1} className="font-semi">
            {title}
          </h3>
        )}
        {children}
      </div>
    </li>
  )
}

const Scan = ({ qr: { path, size }, typed }: { qr: { path: string; size: number }; typed: string }) => (
  <>
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`-2 -2 ${size + 4} ${size + 4}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-card border border-line bg-[#fff]"
    >
      <path d={path} fill="#0b4437" />
    </svg>
    <p className="text-14 text-ink-soft">
      Can’t scan? Type <b className="font-semi break-words text-ink tabular-nums">{typed}</b>
    </p>
  </>
)

const asked = ({ code }: { code: string }) => ({ code: noCode(code, 'FACTOR_CODE_MISSING') })

const digitsOf = (typed: string) => typed.replace(/\D/g, '')

/** Checks the code as soon as its last digit is typed. */
function CodeForm({
  isRight,
  waits,
  onRight,
}: {
  isRight: boolean
  waits: boolean
  onRight: (codes: string[]) => void
}) {
  const check = useCheckFactor()
  const form = useForm({ rules: asked, defaults: { code: '' } })
  const { onChange, ...field } = form.field('code')
  return (
    <Form
      form={form}
      className="stack gap-2"
      onSubmit={async (typed) => onRight((await check(typed)).recovery_codes)}
    >
      <Field id={field.id} error={field.error} label={`Type the ${FACTOR_DIGITS} digits that it shows`}>
        {(wiring) => (
          <input
            {...field}
            {...wiring}
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={FACTOR_DIGITS + 1}
            readOnly={waits || isRight}
            className="control max-w-50 text-22 tracking-[0.14em] tabular-nums"
            onChange={(event) => {
              onChange(event)
              if (digitsOf(event.target.value).length === FACTOR_DIGITS) event.target.form?.requestSubmit()
            }}
          />
        )}
      </Field>
      <p role="status" className="flex min-h-5 items-center gap-2 text-14 text-ink-soft">
        {isRight && (
          <>
            <Icon name="check" size={16} className="text-green" />
            That’s right
          </>
        )}
        {form.busy && 'Checking…'}
      </p>
    </Form>
  )
}
