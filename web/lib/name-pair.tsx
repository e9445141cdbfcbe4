import type { ComponentProps } from 'react'
import * as lengths from '#contract/lengths.ts'
import { FieldPair } from '../ui/form.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'

type Bound = Omit<ComponentProps<typeof TextField>, 'label'>

/** A person's names: form.field('firstName') and form.field('lastName'). */
export const NamePair = ({ first, last }: { first: Bound; last: Bound }) => (
  <FieldPair>
    <TextField label={say('First name')} autoComplete="given-name" maxLength={lengths.name} {...first} />
    <TextField label={say('Last name')} autoComplete="family-name" maxLength={lengths.name} {...last} />
  </FieldPair>
)
