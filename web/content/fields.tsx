import type { ContentKind, Words } from '#contract/content.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { FIELDS, type FieldWords } from './content-words.ts'

export const ContentFields = ({
  kind,
  words,
  errors,
  onWrite,
}: {
  kind: ContentKind
  words: Words
  errors: Record<string, string>
  onWrite: (change: Words) => void
}) => (
  <>
    {FIELDS[kind]
      .filter(({ to }) => !to || to === words['kind'])
      .map((field) => (
        <ContentField
          key={field.name}
          field={field}
          value={words[field.name] ?? null}
          error={errors[field.name]}
          onWrite={(value) => onWrite({ [field.name]: value })}
        />
      ))}
  </>
)

function ContentField({
  field: { name, label, is, most, optional, help, options },
  value,
  error,
  onWrite,
}: {
  field: FieldWords
  value: Words[string]
  error: string | undefined
  onWrite: (value: Words[string]) => void
}) {
  const about = { label, help, id: `content-${name}`, error, optional }
  if (is === 'tick')
    return (
      <Checkbox label={label} checked={value === true} onChange={({ target }) => onWrite(target.checked)} />
    )
  if (is === 'choice' || is === 'stars')
    return (
      <Select
        {...about}
        value={String(value ?? '')}
        onChange={({ target }) =>
          onWrite(is === 'choice' ? target.value : target.value === '' ? null : Number(target.value))
        }
        options={options ?? ['5', '4', '3', '2', '1'].map((value) => ({ value, label: value }))}
      >
        {is === 'stars' && <option value="">None</option>}
      </Select>
    )
  const typed = { ...about, maxLength: most, value: String(value ?? ''), autoComplete: 'off' }
  return is === 'text' ? (
    <Textarea {...typed} rows={7} onChange={({ target }) => onWrite(target.value)} />
  ) : (
    <TextField {...typed} onChange={({ target }) => onWrite(target.value)} />
  )
}
