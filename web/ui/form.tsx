import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react'
import { listen } from './listen.ts'
import { clearDraft, keepDraft, readDraft } from './form-draft.ts'
import { type Rules, useFormState } from './form-state.ts'
import { useId } from './id.ts'
import { Note } from './note.tsx'
import { say, sayLines } from './say.ts'

/** What's wrong with the form as a whole, and the names of the fields that have an error. */
type Trouble = { messages: string[]; fields: string[] }
const NOTHING: readonly { name: string; message: string; focus: () => void }[] = []
const none: Trouble = { messages: [], fields: [] }

type Options<Input extends object> = {
  rules?: Rules<Input>
  /** A value for every field. A field without one doesn't exist for the form. */
  defaults: Partial<Input>
  /** The key of the draft, which survives a reload. Passwords, cards and files are never stored. */
  draft?: string
}

type Listener = (event: { target: unknown }) => void

/** Props that connect a field to a form. */
type Bound = {
  id: string
  name: string
  error: string | undefined
  onChange: Listener
  onBlur: Listener
  ref: (element: HTMLElement | null) => void
}

export type Field = Bound & { defaultValue: string }

type Controlled<Value> = Pick<Bound, 'id' | 'name' | 'error' | 'ref'> & {
  value: Value
  onValueChange: (value: Value) => void
}

export type FormHandle<Input extends object> = ReturnType<typeof useForm<Input>>

export function useForm<Input extends object>({ rules, defaults: given, draft }: Options<Input>) {
  const id = useId()
  // Only the first render's defaults count: later ones mustn't undo what was typed.
  const [defaults] = useState(given)
  const hook = useFormState(rules, defaults)
  const [trouble, setTrouble] = useState(none)
  const seen = useRef(new Set<string>())
  const { errors, submitting } = hook

  // Runs before the first paint, so that the form doesn't appear empty first.
  useLayoutEffect(() => {
    if (!draft) return
    for (const [typed, value] of Object.entries(readDraft(draft))) {
      const name = typed as keyof Input & string
      const untouched = JSON.stringify(hook.getValues(name)) === JSON.stringify(defaults[name])
      if (name in defaults && untouched) hook.setValue(name, value as Input[typeof name])
    }
    return hook.subscribe((values) => keepDraft(draft, values, defaults, document.getElementById(id)))
  }, [draft, id, defaults, hook])

  // After going back, the browser restores fields without an event, before or after this page's script runs.
  useEffect(() => {
    const read = () => setTimeout(() => hook.read())
    read()
    return listen(window, 'pageshow', read)
  }, [hook])

  const bind = (name: keyof Input & string): Bound => {
    const take = ({ target }: { target: unknown }) => hook.take(name, target)
    return {
      name,
      onChange: take,
      // A password manager may fill in without an event.
      onBlur: take,
      id: fieldId(name),
      error: errors[name],
      ref: (element: HTMLElement | null) => {
        const early =
          element instanceof HTMLElement ? typedEarly(element as HTMLInputElement, name) : undefined
        hook.attach(name, element)
        if (early !== undefined) hook.setValue(name, early as Input[typeof name])
      },
    }
  }
  /** Keeps what was typed before hydration instead of the default. Runs once per element. */
  const typedEarly = (element: HTMLInputElement, name: keyof Input & string) => {
    const key = element.type === 'radio' ? `${name}=${element.value}` : name
    if (seen.current.has(key)) return
    seen.current.add(key)
    if (element.type === 'checkbox')
      return element.checked === element.defaultChecked ? undefined : element.checked
    if (element.type === 'radio')
      return element.checked && !element.defaultChecked ? element.value : undefined
    return element.value === String(defaults[name] ?? '') ? undefined : element.value
  }
  const fieldId = (name: string) => `${id}-${name}`

  return {
    id,
    hook,
    fieldId,
    draft,
    defaults,
    trouble,
    setTrouble,
    busy: submitting,
    /** For text fields and choices: {...form.field('email')}. */
    field: (name: keyof Input & string): Field => ({
      ...bind(name),
      defaultValue: String(defaults[name] ?? ''),
    }),
    check: (name: keyof Input & string) => ({ ...bind(name), defaultChecked: !!defaults[name] }),
    /** For components that have their own value: combobox, date, file. */
    control: <Name extends keyof Input & string>(name: Name): Controlled<Input[Name]> => ({
      id: fieldId(name),
      name,
      value: hook.watch(name),
      onValueChange: (value) => hook.change(name, value),
      ref: (element) => hook.attach(name, element, 'focused'),
      error: errors[name],
    }),
  }
}

/** Shows the filters in the address, even after going back. The form stays mounted, so that it keeps the focus. */
export function useAskedFor<Input extends object>({ hook }: FormHandle<Input>, asked: Input) {
  const said = JSON.stringify(asked)
  useEffect(() => {
    const values = JSON.parse(said) as Input
    hook.setValues(values)
    for (const name of Object.keys(values)) hook.setError(name, undefined)
  }, [hook, said])
}

/** The errors of a refused call, in the shape of the response. */
export type Refusal = { errors: string[]; fields?: Record<string, string>; code?: string | undefined }

const isRefusal = (error: unknown): error is Refusal =>
  typeof error === 'object' && error !== null && Array.isArray((error as Refusal).errors)

export type FormProps<Input extends object> = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: FormHandle<Input>
  /** Resolves, or throws a refusal. */
  onSubmit: (values: Input) => Promise<unknown> | unknown
  /** Receives the messages that belong to no field, for a page that shows them in a dialog. */
  onRefused?: (messages: string[]) => void
  /** The errors of parts that have their own values, such as the card. Listed once the form was sent. */
  also?: readonly { name: string; message: string; focus: () => void }[]
}

export function Form<Input extends object>({
  form,
  onSubmit,
  onRefused,
  also = NOTHING,
  className = 'stack gap-6',
  children,
  ...rest
}: FormProps<Input>) {
  const { hook } = form

  /** From top to bottom, so that the first wrong field gets the focus. */
  const asTheyStand = (...names: [string, string]) => {
    const [one, other] = names.map((name) => document.getElementById(form.fieldId(name)))
    if (!one || !other) return Number(!one) - Number(!other)
    return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
  }
  const show = (messages: string[], names: string[]) => {
    const fields = names.toSorted(asTheyStand)
    if (fields[0]) hook.setFocus(fields[0])
    form.setTrouble({ messages, fields })
  }
  const refuse = ({ errors, fields = {} }: Refusal) => {
    const known = Object.keys(fields).filter(
      (name) => (form.defaults as Record<string, unknown>)[name] !== undefined,
    )
    const messages = errors.filter((message) => known.every((name) => fields[name] !== message))
    for (const name of known) hook.setError(name, fields[name])
    show(onRefused ? [] : messages, known)
    if (messages.length) onRefused?.(messages)
  }
  const [sent, setSent] = useState(false)
  const submit = () => {
    setSent(true)
    return hook.submit(
      async (values) => {
        form.setTrouble(none)
        try {
          await onSubmit(values)
          if (form.draft) clearDraft(form.draft)
        } catch (error) {
          if (!isRefusal(error)) reportError(error)
          refuse(isRefusal(error) ? error : { errors: [say('An Error Occurred')] })
        }
      },
      (wrong) => show([], wrong),
    )
  }

  const [first] = form.trouble.fields
  const showErrorOf = useEffectEvent((name: string) =>
    document.getElementById(`${form.fieldId(name)}-error`)?.scrollIntoView({ block: 'nearest' }),
  )
  // The field got the focus before its error appeared below it.
  useEffect(() => {
    if (first) showErrorOf(first)
  }, [first, form.trouble])

  return (
    <form
      noValidate
      // The browser never submits it, but if it did, the address mustn't contain a password.
      method="post"
      {...rest}
      id={form.id}
      className={className}
      aria-busy={form.busy || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.busy) void submit()
      }}
    >
      <Summary form={form} also={sent ? also : NOTHING} />
      {children}
    </form>
  )
}

/** A single wrong field shows its own error. Several errors, or errors without a field, are listed on top. */
function Summary<Input extends object>({
  form,
  also,
}: {
  form: FormHandle<Input>
  also: NonNullable<FormProps<Input>['also']>
}) {
  const { messages, fields } = form.trouble
  const box = useRef<HTMLDivElement>(null)
  const rows = [
    ...fields.flatMap((name) => {
      const message = form.hook.errors[name]
      const focus = () => form.hook.setFocus(name)
      return message === undefined ? [] : { name, message, href: `#${form.fieldId(name)}`, focus }
    }),
    ...also.map((one) => ({ ...one, href: `#${form.id}` })),
  ]
  // The list stays until the last error is fixed, so that it doesn't disappear while somebody follows it.
  const [stands, setStands] = useState(false)
  const isLong = rows.length > 1
  const shown = messages.length > 0 || (rows.length > 0 && (isLong || stands))
  const alone = messages.length > 0 && fields.length === 0
  if (stands !== shown) setStands(shown)

  useEffect(() => {
    if (alone) box.current?.focus()
  }, [alone, form.trouble])

  if (!shown) return null
  const [first, ...others] = messages
  const count = rows.length
  return (
    <div ref={box} role="alert" tabIndex={-1} className="rounded-card">
      <Note
        tone="bad"
        title={
          first !== undefined
            ? sayLines(first)
            : count === 1
              ? say('1 answer needs another look')
              : say('{count} answers need another look', { count })
        }
      >
        {others.map((message) => (
          <p key={message}>{sayLines(message)}</p>
        ))}
        <ul className={first ? 'mt-1' : ''}>
          {rows.map(({ name, message, href, focus }) => (
            <li key={name}>
              <a
                href={href}
                className="inline-flex items-center gap-2 py-[10px] leading-6"
                onClick={(event) => {
                  event.preventDefault()
                  focus()
                }}
              >
                {sayLines(message)}
              </a>
            </li>
          ))}
        </ul>
      </Note>
    </div>
  )
}

/** A section of a long form with its own title, below a thin line. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="stack gap-5 [section+&]:border-t [section+&]:border-line [section+&]:pt-8 lg:[section+&]:pt-10"
    >
      <h2 id={id} className="-mb-1 t22">
        {title}
      </h2>
      {children}
    </section>
  )
}

export const FieldPair = ({ children }: { children: ReactNode }) => (
  <div className="stack gap-5 xs:grid-cols-[repeat(2,minmax(0,1fr))] xs:gap-4">{children}</div>
)
