import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { type Fact, type FactKind, HEAVIEST_KG, LIGHTEST_KG, type PetRecord } from '#contract/records.ts'
import * as lengths from '#contract/lengths.ts'
import { day } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { say, type Sentence, sentence } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { useAddFact, useAddWeight, useEndFact, useRemoveWeight, useSayNone } from './queries.ts'
import { isOdd, kgSaid, WeightChart, weightSaid } from './weight-chart.tsx'

export interface KindWords {
  title: Sentence
  /** After "Add". */
  one: Sentence
  name: Sentence
  none: Sentence
}
export const KINDS: Record<FactKind, KindWords> = {
  allergy: {
    title: sentence('Allergies'),
    one: sentence('an allergy'),
    name: sentence('Allergic to what?'),
    none: sentence('None that I know of'),
  },
  medicine: {
    title: sentence('Medicines in use'),
    one: sentence('a medicine'),
    name: sentence('Name on the box'),
    none: sentence('No medicine'),
  },
  condition: {
    title: sentence('Conditions'),
    one: sentence('a condition'),
    name: sentence('What is it?'),
    none: sentence('None that I know of'),
  },
}

interface Props {
  pet: { id: number; name: string }
  record: PetRecord
  /** False for an archived pet and for readers who can't change it. Then there is no Add. */
  changes: boolean
  /** For a vet, who may have weighed it on a scale. */
  staff?: boolean
}

/** A pet's weights over time, allergies, medicines and conditions. */
export const RecordSections = (props: Props) => (
  <div className="divide-y divide-line *:py-4 *:first:pt-0 *:last:pb-0">
    <Weights {...props} />
    {(['allergy', 'medicine', 'condition'] as const).map((kind) => (
      <Facts key={kind} kind={kind} {...props} />
    ))}
  </div>
)

const small = 'min-h-9! px-2! py-1! text-14! pointer-coarse:min-h-11!'

/** The title gets the focus when the pressed button disappears. */
function useAdding({ title, what, changes }: { title: string; what: string; changes: boolean }) {
  const [adds, setAdds] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const close = () => {
    setAdds(false)
    heading.current?.focus()
  }
  const head = (
    <div className="flex items-center justify-between gap-3">
      <h3 ref={heading} tabIndex={-1} className="font-semi">
        {title}
      </h3>
      {changes && !adds && (
        <Button variant="text" icon="plus" className={small} onClick={() => setAdds(true)}>
          {say('Add')}
          <span className="sr-only"> {what}</span>
        </Button>
      )}
    </div>
  )
  return { adds, close, head, heading }
}

/** Escape closes only the form inside, and nothing around it. */
const Escapable = ({ onEscape, children }: { onEscape: () => void; children: ReactNode }) => (
  <div
    role="presentation"
    onKeyDown={(event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      onEscape()
    }}
  >
    {children}
  </div>
)

/** A weight, with a decimal comma or point; undefined if it can't be one. */
export function kgTyped(typed: string): number | undefined {
  const kg = Number(typed.trim().replace(',', '.'))
  return typed.trim() !== '' && kg >= LIGHTEST_KG && kg <= HEAVIEST_KG ? kg : undefined
}

/** Why a typed weight isn't saved: it can't be one, or it's unlikely and wasn't sent twice. */
export function useDoubt(last: number | undefined) {
  const [sure, setSure] = useState<number>()
  return (kg: number | undefined) => {
    if (kg === undefined) return say('Enter the weight in kilograms, such as 4.2.')
    if (!isOdd(kg, last) || sure === kg) return undefined
    setSure(kg)
    return say('Is {weight} right? Press Save again if it is.', { weight: kgSaid(kg) })
  }
}

function Weights({ pet, record: { weights }, changes, staff }: Props) {
  const { adds, close, head, heading } = useAdding({ title: say('Weight'), what: say('a weight'), changes })
  const [added, setAdded] = useState<{ id: number; kg: number }>()
  const undo = useRemoveWeight()
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {head}
      <p className="text-ink-soft">{weightSaid(weights)}</p>
      <WeightChart weights={weights} pet={pet.name} staff={staff === true} />
      {adds && (
        <Escapable onEscape={close}>
          <AddWeight
            pet={pet.id}
            staff={staff === true}
            last={weights.at(-1)?.kg}
            onDone={(id, kg) => {
              setAdded({ id, kg })
              close()
            }}
            onCancel={close}
          />
        </Escapable>
      )}
      <p role="status" className="flex flex-wrap items-center gap-2 text-14">
        {added && (
          <>
            {say('{weight} added', { weight: kgSaid(added.kg) })}
            <Button
              variant="text"
              className={small}
              busy={undo.isPending}
              onClick={() =>
                undo.mutate(
                  { id: pet.id, weight: added.id },
                  {
                    onSuccess: () => {
                      setAdded(undefined)
                      heading.current?.focus()
                    },
                  },
                )
              }
            >
              {say('Undo')}
            </Button>
          </>
        )}
      </p>
    </section>
  )
}

function AddWeight({
  pet,
  staff,
  last,
  onDone,
  onCancel,
}: {
  pet: number
  staff: boolean
  last: number | undefined
  onDone: (id: number, kg: number) => void
  onCancel: () => void
}) {
  const add = useAddWeight()
  const form = useForm({ defaults: { kg: '', scale: staff } })
  const { hook } = form
  useLayoutEffect(() => hook.setFocus('kg'), [hook])
  const doubtOf = useDoubt(last)
  return (
    <Form
      form={form}
      className="grid gap-2"
      onSubmit={async ({ kg: typed, scale }) => {
        const kg = kgTyped(typed)
        const doubt = doubtOf(kg)
        if (kg === undefined || doubt) throw { errors: [], fields: { kg: doubt! } } satisfies Refusal
        const { weights } = await add({ id: pet, kg, scale })
        onDone(weights.at(-1)!.id, kg)
      }}
    >
      <TextField
        label={say('New weight, kg')}
        inputMode="decimal"
        autoComplete="off"
        maxLength={7}
        className="min-h-11!"
        {...form.field('kg')}
        beside={
          <>
            {staff && <Checkbox label={say('On a scale')} {...form.check('scale')} />}
            <SaveOrCancel busy={form.busy} onCancel={onCancel} />
          </>
        }
      />
    </Form>
  )
}

const SaveOrCancel = ({ busy, onCancel }: { busy: boolean; onCancel: () => void }) => (
  <>
    <Button type="submit" size={44} busy={busy} className="text-14!">
      {say('Save')}
    </Button>
    <Button variant="text" size={44} className="text-14!" onClick={onCancel}>
      {say('Cancel')}
    </Button>
  </>
)

const saidBy = (by: string, at: string, staff: boolean | undefined) =>
  by
    ? say('Added by {vet} on {day}', { vet: by, day: day(at) })
    : staff
      ? say('The owner, {day}', { day: day(at) })
      : say('You told us on {day}', { day: day(at) })

function Facts({ kind, pet, record, changes, staff }: Props & { kind: FactKind }) {
  const { title, one, none } = KINDS[kind]
  const { adds, close, head, heading } = useAdding({ title: say(title), what: say(one), changes })
  const facts = record.facts.filter((one) => one.kind === kind)
  const said = record.none.find((one) => one.kind === kind)
  const recordNone = useSayNone()
  const end = useEndFact()
  const [ending, ask] = useState<Fact>()
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {head}
      {facts.length > 0 ? (
        <ul className="divide-y divide-line *:py-2 *:first:pt-0 *:last:pb-0">
          {facts.map((fact) => (
            <FactRow key={fact.id} fact={fact} staff={staff} onEnd={changes ? () => ask(fact) : undefined} />
          ))}
        </ul>
      ) : (
        <p className="text-ink-soft">
          {said ? say('None known. {by}', { by: saidBy(said.by, said.at, staff) }) : say('Nothing on record')}
        </p>
      )}
      {adds && (
        <Escapable onEscape={close}>
          <AddFact kind={kind} pet={pet.id} onDone={close} />
        </Escapable>
      )}
      {changes && !adds && facts.length === 0 && !said && (
        <div>
          <Button
            variant="soft"
            className={small}
            busy={recordNone.isPending}
            onClick={() =>
              recordNone.mutate({ id: pet.id, kind }, { onSuccess: () => heading.current?.focus() })
            }
          >
            {staff ? say('None known') : say(none)}
          </Button>
        </div>
      )}
      {ending && (
        <ConfirmDialog
          title={say('Take {name} off {pet}’s record?', { name: ending.name, pet: pet.name })}
          does={say('Take it off')}
          doing={say('Taking it off…')}
          keeps={say('Keep it')}
          onClose={() => ask(undefined)}
          onConfirm={async () => {
            await end({ id: pet.id, fact: ending.id })
            ask(undefined)
          }}
        >
          <p>{say('Vets won’t see it in the next consult.')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

const FactRow = ({
  fact: { name, detail, by, at },
  staff,
  onEnd,
}: {
  fact: Fact
  staff: boolean | undefined
  onEnd: (() => void) | undefined
}) => (
  <li className="flex items-start gap-3">
    <p className="min-w-0 flex-1 leading-snug [overflow-wrap:anywhere]">
      <span className="font-medium">{name}</span>
      {detail && <span>, {detail}</span>}
      <span className="block text-14 text-ink-soft">{saidBy(by, at, staff)}</span>
    </p>
    {onEnd && (
      <Button
        variant="text"
        className={small}
        aria-label={say('No longer: {name}', { name })}
        onClick={onEnd}
      >
        {say('No longer')}
      </Button>
    )}
  </li>
)

function AddFact({ kind, pet, onDone }: { kind: FactKind; pet: number; onDone: () => void }) {
  const add = useAddFact()
  const form = useForm({
    rules: ({ name }) => ({ name: !name.trim() && say('Write its name first.') }),
    defaults: { name: '', detail: '' },
  })
  const { hook } = form
  useLayoutEffect(() => hook.setFocus('name'), [hook])
  const typed = { autoComplete: 'off', maxLength: lengths.fact, className: 'min-h-11!' }
  return (
    <Form
      form={form}
      className="grid gap-2"
      onSubmit={({ name, detail }) =>
        add({ id: pet, kind, name: name.trim(), detail: detail.trim() }).then(onDone)
      }
    >
      <TextField label={say(KINDS[kind].name)} {...typed} {...form.field('name')} />
      <TextField
        label={kind === 'medicine' ? say('How much, and when last') : say('Anything more')}
        optional
        {...typed}
        {...form.field('detail')}
      />
      <div className="flex flex-wrap gap-2">
        <SaveOrCancel busy={form.busy} onCancel={onDone} />
      </div>
    </Form>
  )
}
