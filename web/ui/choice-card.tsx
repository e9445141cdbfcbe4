import type { ComponentProps, ReactNode } from 'react'
import { FieldSet, type FieldText } from './field.tsx'
import { Icon, type IconName } from './icon.tsx'

const columns = {
  one: 'gap-3',
  two: 'gap-3 grid-cols-[repeat(auto-fit,minmax(min(100%,8.25rem),1fr))]',
  three: 'gap-3 grid-cols-[repeat(auto-fit,minmax(5.25rem,1fr))]',
  tiles:
    'grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] gap-2 sm:grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))]',
}

type ChoicesProps = Omit<FieldText, 'label'> & {
  legend: ReactNode
  across: keyof typeof columns
  children: ReactNode
}

export const Choices = ({ across, children, ...text }: ChoicesProps) => (
  <FieldSet {...text}>
    <div className={`grid ${columns[across]}`}>{children}</div>
  </FieldSet>
)

const card =
  'group relative border border-line-strong rounded-card bg-card transition-colors hover:border-green has-checked:border-green has-checked:bg-green-soft has-checked:shadow-[inset_0_0_0_1px_var(--color-green)] has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus'
const target = 'absolute inset-0 size-full cursor-pointer opacity-0'

type ChoiceProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & { value: string }

const Tick = () => (
  <span className="grid size-6 flex-none place-items-center rounded-full border-[1.5px] border-line-strong bg-card text-transparent group-has-checked:border-green group-has-checked:bg-green group-has-checked:text-on-green">
    <Icon name="check" size={16} strokeWidth={3} />
  </span>
)

/**
 * A radio button as a card. The whole card can be pressed, and a tick shows the choice, not only the colour. Cards side by
 * side line up at the bottom, however long their notes are.
 */
export const ChoiceCard = ({
  icon,
  title,
  note,
  end,
  ...rest
}: Omit<ChoiceProps, 'title'> & { icon?: IconName; title: ReactNode; note?: ReactNode; end?: ReactNode }) => (
  <label className={`flex flex-col gap-[2px] p-4 ${card}`}>
    <input {...rest} type="radio" className={target} />
    <span className="mb-2 flex items-center justify-between text-green">
      {icon ? <Icon name={icon} size={24} /> : <span />}
      <Tick />
    </span>
    <span className="t18">{title}</span>
    {note && <span className="text-14 text-ink-soft group-has-checked:text-green-soft-ink">{note}</span>}
    {end && <span className="mt-auto pt-2 t18">{end}</span>}
  </label>
)

/** The same on one line: tick, text, and an amount at the end. */
export const ChoiceRow = ({
  title,
  note,
  end,
  ...rest
}: Omit<ChoiceProps, 'title'> & { title: ReactNode; note?: ReactNode; end?: ReactNode }) => (
  <label className={`flex flex-wrap items-start gap-x-4 gap-y-2 p-4 ${card}`}>
    <input {...rest} type="radio" className={target} />
    <Tick />
    <span className="grid flex-[1_1_7rem]">
      <span className="t18">{title}</span>
      {note && <span className="text-14 text-ink-soft group-has-checked:text-green-soft-ink">{note}</span>}
    </span>
    {end && <span className="grid justify-items-end">{end}</span>}
  </label>
)

/** A picture over a word, for the species. */
export const ChoiceTile = ({
  picture,
  small,
  title,
  ...rest
}: Omit<ChoiceProps, 'title'> & { picture: ReactNode; small?: boolean; title: string }) => (
  <label
    className={`grid content-start justify-items-center px-1 text-center leading-5 font-medium ${small ? 'gap-[6px] pt-2 pb-3 text-14' : 'gap-2 py-3'} ${card}`}
  >
    <input {...rest} type="radio" className={target} />
    {picture}
    <span>{title}</span>
  </label>
)
