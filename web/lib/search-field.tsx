import type { ComponentProps } from 'react'
import { search } from '#contract/lengths.ts'
import { TextField } from '../ui/text-field.tsx'
import { useTypedSearch } from './typed-search.ts'

/** A list's search box, whose words are in the address. */
export function SearchField({
  q,
  onSearch,
  ...field
}: Pick<ComponentProps<typeof TextField>, 'label' | 'ref'> & {
  q: string
  onSearch: (words: string) => void
}) {
  const { words, type } = useTypedSearch(q, onSearch)
  return (
    <div className="w-full max-w-72">
      <TextField
        type="text"
        maxLength={search}
        autoComplete="off"
        {...field}
        value={words}
        onChange={({ target }) => type((target as HTMLInputElement).value)}
      />
    </div>
  )
}
