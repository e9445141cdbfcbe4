import {
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
  type ComponentProps,
  type ReactNode,
} from 'react'
import {
  get,
  set,
  useController,
  useForm as useHookForm,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type PathValue,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form'
import { AsleepContext } from './button.tsx'
import { clearDraft, keepDraft, readDraft } from './form-draft.ts'
import { Icon } from './icon.tsx'
import { Note } from './note.tsx'
import { say, sayLines } from './say.ts'

type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined }
type Result<Output> = { value: Output; issues?: undefined } | { issues: readonly Issue[] }

/** Any schema of the standard kind (standardschema.dev), such as one of the contract's. */
export type Schema<Input, Output = Input> = {
  '~standard': {
    validate: (value: unknown) => Result<Output> | Promise<Result<Output>>
    types?: { input: Input; output: Output } | undefined
  }
}

function resolve<Input extends FieldValues, Output>(
  schema: Schema<Input, Output>,
): Resolver<Input, unknown, Output> {
  return async (values) => {
    const result = await schema['~standard'].validate(values)
    if (!result.issues) return { values: result.value, errors: {} }
    const errors = {}
    for (const { message, path = [] } of result.issues) {
      const name = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
      if (!get(errors, name)) set(errors, name || 'root', { type: 'schema', message })
    }
    return { values: {}, errors }
  }
}

const messageOf = (error?: { message?: unknown }) =>
  typeof error?.message === 'string' ? error.message : undefined

type Trouble = { messages: string[]; fields: { name: string; message: string }[] }
const none: Trouble = { messages: [], fields: [] }

type Options<Input extends FieldValues, Output> = {
  schema: Schema<Input, Output>
  /** A value for every field: a field without one is not known here. */
  defaults: DefaultValues<Input>
  /** The key under which what was typed outlives a reload. Passwords, cards and files are never kept. */
  draft?: string
}

type Listener = (event: { target: unknown; type?: unknown }) => Promise<unknown>

/** What a field takes to belong to a form. */
type Bound = {
  id: string
  name: string
  error: string | undefined
  onChange: Listener
  onBlur: Listener
  ref: (element: HTMLElement | null) => void
}

export type Field = Bound & { defaultValue: string }

type FormHandle<Input extends FieldValues, Output> = {
  id: string
  hook: UseFormReturn<Input, unknown, Output>
  fieldId: (name: string) => string
  draft: string | undefined
  defaults: object
  trouble: Trouble
  setTrouble: (trouble: Trouble) => void
  busy: boolean
  /** For everything one types or chooses from: {...form.field('email')}. */
  field: (name: FieldPath<Input>) => Field
  /** For a checkbox. */
  check: (name: FieldPath<Input>) => Bound & { defaultChecked: boolean }
}

export function useForm<Input extends FieldValues, Output = Input>({
  schema,
  defaults: given,
  draft,
}: Options<Input, Output>): FormHandle<Input, Output> {
  const id = useId()
  // Those of the first render: later ones must not undo what was typed.
  const [defaults] = useState(given)
  const hook = useHookForm<Input, unknown, Output>({
    resolver: resolve(schema),
    defaultValues: defaults,
    // Done below: it would go by the order in which fields were registered.
    shouldFocusError: false,
  })
  const [trouble, setTrouble] = useState(none)
  const seen = useRef(new Set<string>())
  const { getValues, setValue, subscribe } = hook
  const { errors, isSubmitting } = hook.formState

  useEffect(() => {
    if (!draft) return
    for (const [name, value] of Object.entries(readDraft(draft))) {
      const path = name as FieldPath<Input>
      const untouched = JSON.stringify(getValues(path)) === JSON.stringify(get(defaults, name))
      if (name in defaults && untouched)
        setValue(path, value as PathValue<Input, typeof path>, { shouldDirty: true })
    }
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => keepDraft(draft, values, defaults, document.getElementById(id)),
    })
  }, [draft, id, defaults, getValues, setValue, subscribe])

  const bind = (name: FieldPath<Input>): Bound => {
    const { ref, onChange, onBlur } = hook.register(name)
    return {
      name,
      onChange,
      onBlur,
      id: fieldId(name),
      error: messageOf(get(errors, name)),
      ref: (element: HTMLElement | null) => {
        const early =
          element instanceof HTMLElement ? typedEarly(element as HTMLInputElement, name) : undefined
        ref(element)
        if (early !== undefined) setValue(name, early as PathValue<Input, typeof name>)
      },
    }
  }
  /** What was typed before the page woke up stays, instead of giving way to the default. Asked once an element. */
  const typedEarly = (element: HTMLInputElement, name: string) => {
    const key = element.type === 'radio' ? `${name}=${element.value}` : name
    if (seen.current.has(key)) return
    seen.current.add(key)
    if (element.type === 'checkbox')
      return element.checked === element.defaultChecked ? undefined : element.checked
    if (element.type === 'radio')
      return element.checked && !element.defaultChecked ? element.value : undefined
    return element.value === String(get(defaults, name) ?? '') ? undefined : element.value
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
    busy: isSubmitting,
    field: (name) => ({ ...bind(name), defaultValue: String(get(defaults, name) ?? '') }),
    check: (name) => ({ ...bind(name), defaultChecked: !!get(defaults, name) }),
  }
}

/** What a refused call says, in the shape of the wire. */
export type Refusal = { errors: string[]; fields?: Record<string, string> }

const isRefusal = (error: unknown): error is Refusal =>
  typeof error === 'object' && error !== null && Array.isArray((error as Refusal).errors)

type FormProps<Input extends FieldValues, Output> = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: FormHandle<Input, Output>
  /** Ends well, or throws a refusal. */
  onSubmit: (values: Output) => Promise<unknown> | unknown
  /** Takes the messages that belong to no field, for a page that shows them in a dialog. */
  onRefused?: (messages: string[]) => void
}

const never = () => () => {}

export function Form<Input extends FieldValues, Output>({
  form,
  onSubmit,
  onRefused,
  className = 'stack gap-6',
  children,
  ...rest
}: FormProps<Input, Output>) {
  const { hook } = form
  const awake = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

  /** From top to bottom: the first that is wrong is the first one meets. */
  const asTheyStand = (a: { name: string }, b: { name: string }) => {
    const [one, other] = [a, b].map(({ name }) => document.getElementById(form.fieldId(name)))
    if (!one || !other) return Number(!one) - Number(!other)
    return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
  }
  const refuse = ({ errors, fields = {} }: Refusal) => {
    const known = Object.entries(fields)
      .filter(([name]) => get(form.defaults, name) !== undefined)
      .map(([name, message]) => ({ name, message }))
      .toSorted(asTheyStand)
    const spoken = new Set(known.map(({ message }) => message))
    const messages = errors.filter((message) => !spoken.has(message))
    known.forEach(({ name, message }, at) =>
      hook.setError(name as FieldPath<Input>, { type: 'server', message }, { shouldFocus: at === 0 }),
    )
    form.setTrouble({ messages: onRefused ? [] : messages, fields: known })
    if (messages.length) onRefused?.(messages)
  }
  const submit = hook.handleSubmit(
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
    (errors) => {
      const fields = wrongFields(errors).toSorted(asTheyStand)
      form.setTrouble({ messages: [], fields })
      if (fields[0]) hook.setFocus(fields[0].name as FieldPath<Input>)
    },
  )

  return (
    <form
      noValidate
      // Never sent by the browser; if it were, the address must not carry a password.
      method="post"
      {...rest}
      id={form.id}
      className={className}
      aria-busy={form.busy || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.busy) void submit(event)
      }}
    >
      <Summary form={form} />
      <AsleepContext.Provider value={!awake}>{children}</AsleepContext.Provider>
    </form>
  )
}

function wrongFields(errors: FieldErrors, before = ''): Trouble['fields'] {
  return Object.entries(errors).flatMap(([name, error]) => {
    if (!error) return []
    const message = messageOf(error)
    return message === undefined
      ? wrongFields(error as FieldErrors, `${before}${name}.`)
      : [{ name: before + name, message }]
  })
}

/** One wrong field says so itself; more of them, and what belongs to none, stand together on top. */
function Summary<Input extends FieldValues, Output>({ form }: { form: FormHandle<Input, Output> }) {
  const { messages, fields } = form.trouble
  const box = useRef<HTMLDivElement>(null)
  const shown = messages.length > 0 || fields.length > 1
  const alone = shown && fields.length === 0

  useEffect(() => {
    if (alone) box.current?.focus()
  }, [alone, form.trouble])

  if (!shown) return null
  const [first, ...others] = messages
  return (
    <div ref={box} role="alert" tabIndex={-1} className="rounded-card">
      <Note
        tone="bad"
        title={
          first === undefined
            ? say('{count} answers need another look', { count: fields.length })
            : sayLines(first)
        }
      >
        {others.map((message) => (
          <p key={message}>{sayLines(message)}</p>
        ))}
        <ul className={first ? 'mt-1' : ''}>
          {fields.map(({ name, message }) => {
            // A mended field keeps its line, so that the form does not jump while one types.
            const mended = !get(form.hook.formState.errors, name)
            return (
              <li key={name}>
                <a
                  href={`#${form.fieldId(name)}`}
                  className="inline-flex items-center gap-2 py-[10px] leading-6 data-mended:font-regular data-mended:line-through"
                  data-mended={mended || undefined}
                  onClick={(event) => {
                    event.preventDefault()
                    form.hook.setFocus(name as FieldPath<Input>)
                  }}
                >
                  {sayLines(message)}
                  {mended && <Icon name="check" size={16} />}
                </a>
              </li>
            )
          })}
        </ul>
      </Note>
    </div>
  )
}

type Controlled<Value> = {
  id: string
  name: string
  value: Value
  onValueChange: (value: Value) => void
  onBlur: () => void
  ref: (element: HTMLElement | null) => void
  error: string | undefined
}

/** For parts that hold their value themselves: combobox, date, file. */
export function Control<Input extends FieldValues, Output, Name extends FieldPath<Input>>({
  form,
  name,
  children,
}: {
  form: FormHandle<Input, Output>
  name: Name
  children: (control: Controlled<PathValue<Input, Name>>) => ReactNode
}) {
  const { field, fieldState } = useController({ control: form.hook.control, name })
  return children({
    id: form.fieldId(name),
    name,
    value: field.value,
    onValueChange: field.onChange,
    onBlur: field.onBlur,
    ref: field.ref,
    error: fieldState.error?.message,
  })
}

/** A part of a long form under its own title; a hairline parts it from the one before. */
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

/** Two fields side by side where there is room. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className="stack gap-5 xs:grid-cols-[repeat(2,minmax(0,1fr))] xs:gap-4">{children}</div>
}
