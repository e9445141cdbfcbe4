import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { Field, type FieldText } from './field.tsx'
import { Icon } from './icon.tsx'
import { useId } from './id.ts'
import { say } from './say.ts'

type Option = { value: string; label: string }

type ComboboxProps = FieldText & {
  options: readonly Option[]
  /** Shown while the options load. Until then, no text counts as wrong. */
  pending?: string | undefined
  says: {
    /** The list's name: "breeds". */
    all: string
    /** The error for text that matches nothing. */
    choose: string
    /** "1 breed", "2 breeds". */
    found: (count: number) => string
  }
  value: string
  onValueChange: (value: string) => void
  name?: string
  ref?: Ref<HTMLInputElement>
}

const plain = (words: string) => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function Marked({ words, typed }: { words: string; typed: string }) {
  const at = typed ? plain(words).indexOf(plain(typed)) : -1
  if (at < 0) return <span>{words}</span>
  return (
    <span>
      {words.slice(0, at)}
      <mark className="bg-transparent font-bold text-inherit">{words.slice(at, at + typed.length)}</mark>
      {words.slice(at + typed.length)}
    </span>
  )
}

/**
 * Choose one of many by typing, built by hand on the ARIA pattern. The list is a child of the field, so that it works
 * inside a modal dialog. Text that matches nothing stays as typed, with an empty value and an error.
 */
export function Combobox({
  label,
  help,
  error,
  optional,
  id,
  options,
  pending,
  says,
  value,
  onValueChange,
  name,
  ref,
}: ComboboxProps) {
  const chosen = options.find((option) => option.value === value)
  const [begun, setBegun] = useState<string | null>(null)
  const typed = value ? null : begun
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const list = useId()
  const box = useRef<HTMLUListElement>(null)

  const text = typed ?? chosen?.label ?? ''
  const found = typed
    ? options.filter((option) => plain(option.label).includes(plain(typed.trim())))
    : options
  const astray = !pending && !open && typed !== null && typed.trim() !== '' && !value

  useEffect(() => {
    if (open) box.current?.parentElement?.scrollIntoView({ block: 'nearest' })
  }, [open])
  useEffect(() => {
    const items = box.current
    const item = items?.children[active]
    if (!(item instanceof HTMLElement) || !items) return
    const below = item.offsetTop + item.offsetHeight + 8 - items.clientHeight
    items.scrollTop = Math.max(below, Math.min(items.scrollTop, item.offsetTop - 8))
  }, [open, active])

  const show = () => {
    setActive(typed ? 0 : found.findIndex((option) => option.value === value))
    setOpen(true)
  }
  const choose = (option: Option) => {
    onValueChange(option.value)
    setBegun(null)
    setOpen(false)
  }
  const type = (words: string) => {
    setBegun(words)
    setActive(words ? 0 : -1)
    setOpen(true)
    if (value) onValueChange('')
  }
  const meant = () => {
    const exact = found.find((option) => plain(option.label) === plain(text.trim()))
    return typed ? (exact ?? (found.length === 1 ? found[0] : undefined)) : undefined
  }
  const leave = () => {
    setOpen(false)
    const one = meant()
    if (one) choose(one)
  }
  // Matches text that was typed before the options loaded.
  const come = useEffectEvent(() => {
    const one = open ? undefined : meant()
    if (one) onValueChange(one.value)
  })
  useEffect(() => {
    if (!pending) come()
  }, [pending])
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) {
      event.preventDefault()
      // With no active option, Up goes to the last one.
      if (open) setActive((Math.max(active, step > 0 ? -1 : 0) + step + found.length) % found.length)
      else show()
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      const option = found[active]
      if (option) choose(option)
    } else if (event.key === 'Escape' && open) {
      // Escape closes the list, not the dialog around it.
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
  }

  const count = pending ?? says.found(found.length)
  return (
    <Field {...{ label, help, optional, id }} error={error ?? (astray ? says.choose : undefined)}>
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            ref={ref}
            name={name}
            type="text"
            role="combobox"
            aria-expanded={open}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={open && found[active] ? `${list}-${active}` : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            onChange={(event) => type(event.target.value)}
            onClick={show}
            onKeyDown={press}
            onBlur={leave}
            className="control pr-[52px]"
          />
          <Icon
            name={open ? 'chevron-up' : 'chevron-down'}
            className="pointer-events-none absolute inset-y-0 right-[14px] my-auto"
          />
          <div
            hidden={!open}
            className="absolute inset-x-0 top-full z-10 mt-1 overflow-clip rounded-card border border-line bg-card shadow-float"
          >
            <ul
              ref={box}
              id={list}
              role="listbox"
              aria-label={says.all}
              className="relative max-h-[min(264px,40dvh)] overflow-auto overscroll-contain p-2"
            >
              {open &&
                found.map((option, at) => (
                  <li
                    key={option.value}
                    id={`${list}-${at}`}
                    role="option"
                    aria-selected={at === active}
                    className="flex min-h-11 cursor-pointer items-center justify-between gap-2 rounded-small px-3 py-2 leading-snug aria-selected:bg-green-soft aria-selected:text-green-soft-ink"
                    onMouseDown={(event) => event.preventDefault()}
                    onMouseMove={() => setActive(at)}
                    onClick={() => choose(option)}
                  >
                    <Marked words={option.label} typed={typed?.trim() ?? ''} />
                    {at === active && <Icon name="corner-down-left" size={16} />}
                  </li>
                ))}
            </ul>
            <p className="border-t border-line px-5 py-2 text-14 text-ink-soft" aria-hidden="true">
              {found.length || pending
                ? count
                : say('Nothing here matches “{words}”', { words: text.trim() })}
            </p>
          </div>
          <p role="status" className="sr-only">
            {open && count}
          </p>
        </div>
      )}
    </Field>
  )
}
