import type { ComponentProps } from 'react'
import { search } from '#contract/lengths.ts'
import { TextField } from '../ui/text-field.tsx'
import { useLeaving } from './leaving.ts'
import { useTypedSearch } from './typed-search.ts'

/** A list's search box. The search is in the address. */
export function SearchField({
  q,
  onSearch,
  ...field
}: Pick<ComponentProps<typeof TextField>, 'label' | 'ref'> & {
  q: string
  onSearch: (words: string) => void
}) {
  const { words, type } = useTypedSearch(q, onSearch, useLeaving())
  return (
    <div className="w-full max-w-80">
      <TextField
        type="search"
        icon="search"
        maxLength={search}
        {...field}
        value={words}
        onChange={({ target }) => type(target.value)}
      />
    </div>
  )
}
