import { useEffect, useReducer, useState } from 'react'

export type Message = string | false | undefined
/** What's wrong with each field, from top to bottom. */
type Wrong<Input> = { [Field in Name<Input>]?: Message }
/**
 * What a form checks before it sends. The server checks again with the contract's schemas, which pages don't load; both
 * share the same predicates.
 */
export type Rules<Input> = (typed: Input) => Wrong<Input>
type Name<Input> = keyof Input & string
type Element = HTMLElement & { type?: string; value?: string; checked?: boolean }

/** Keeps values in the elements themselves, so that a key press doesn't render fields that nothing watches. */
export function useFormState<Input extends object>(
  rules: Rules<Input> | undefined,
  defaults: Partial<Input>,
) {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const [state] = useState(() => makeState(rules, defaults, draw))
  useEffect(() => state.checkBy(rules))
  return state
}

/** What is typed in one form, and what's wrong with it. Each field has one flat name. */
function makeState<Input extends object>(
  first: Rules<Input> | undefined,
  defaults: Partial<Input>,
  draw: () => void,
) {
  const values = { ...defaults } as Input
  const elements = new Map<string, Set<Element>>()
  /** Elements whose component has the value. */
  const held = new WeakSet<Element>()
  const watched = new Set<string>()
  const listeners = new Set<(values: Input) => void>()
  let rules = first
  let errors: Record<string, string | undefined> = {}
  let sent = false
  let submitting = false

  const standing = (name: string) => [...(elements.get(name) ?? [])].filter((element) => element.isConnected)
  const show = (element: Element, value: unknown) => {
    if (element.type === 'checkbox') element.checked = !!value
    else if (element.type === 'radio') element.checked = element.value === value
    else if (element.type !== 'file' && element.value !== undefined) {
      const text = String(value ?? '')
      if (element.value !== text) element.value = text
    }
  }
  const keep = (name: Name<Input>, value: unknown) => {
    values[name] = value as Input[Name<Input>]
    for (const listen of listeners) listen({ ...values })
    if (watched.has('') || watched.has(name)) draw()
  }
  const setError = (name: string, why: string | undefined) => {
    if (errors[name] === why) return
    errors = { ...errors, [name]: why }
    draw()
  }
  const found = (): typeof errors =>
    Object.fromEntries(
      Object.entries<Message>(rules?.({ ...values }) ?? {}).flatMap(([name, why]) =>
        why ? [[name, why]] : [],
      ),
    )

  function getValues(): Input
  function getValues<N extends Name<Input>>(name: N): Input[N]
  function getValues(name?: Name<Input>) {
    return name ? values[name] : { ...values }
  }
  /** The same, but the form renders again when it changes. */
  function watch(): Input
  function watch<N extends Name<Input>>(name: N): Input[N]
  function watch(name?: Name<Input>) {
    watched.add(name ?? '')
    return name ? values[name] : { ...values }
  }

  return {
    get errors() {
      return errors
    },
    get submitting() {
      return submitting
    },
    getValues,
    watch,
    setError,
    checkBy: (latest: Rules<Input> | undefined) => void (rules = latest),
    setValue<N extends Name<Input>>(name: N, value: Input[N]) {
      for (const element of standing(name)) show(element, value)
      keep(name, value)
    },
    setValues(some: Partial<Input>) {
      for (const [name, value] of Object.entries(some)) this.setValue(name as Name<Input>, value as never)
    },
    /** Works like typing: a form that was submitted before checks the field again. */
    change(name: Name<Input>, value: unknown) {
      keep(name, value)
      if (sent) setError(name, found()[name])
    },
    /** Reads the value of an element that belongs to the field. */
    take(name: Name<Input>, element: unknown) {
      const { type, checked, value } = element as Element
      // Skips a radio that isn't checked.
      if (type === 'radio' && !checked) return
      const typed = type === 'checkbox' ? checked : value
      if (typed !== values[name]) this.change(name, typed)
    },
    /** An element that shows the field and has its value. If it's only `focused`, its component has the value. */
    attach(name: Name<Input>, element: HTMLElement | null, focused?: 'focused') {
      if (!element) return
      const known = new Set(standing(name))
      elements.set(name, known)
      if (known.has(element)) return
      known.add(element)
      if (focused) held.add(element)
      else show(element, values[name])
    },
    /** Reads all elements, because the browser may have filled them in without an event. */
    read() {
      for (const name of elements.keys())
        for (const element of standing(name)) if (!held.has(element)) this.take(name as Name<Input>, element)
    },
    setFocus: (name: string) => standing(name)[0]?.focus(),
    /** Calls back on every change, until the returned function is called. */
    subscribe(listen: (values: Input) => void) {
      listeners.add(listen)
      return () => void listeners.delete(listen)
    },
    async submit(valid: (values: Input) => Promise<void>, invalid: (names: string[]) => void) {
      sent = true
      errors = found()
      const wrong = Object.keys(errors)
      submitting = wrong.length === 0
      draw()
      if (!submitting) return invalid(wrong)
      try {
        await valid({ ...values })
      } finally {
        submitting = false
        draw()
      }
    },
  }
}
