import { useEffect, useRef } from 'react'
import { clearDraft } from './form-draft.ts'
import type { FormHandle } from './form.tsx'

/** Fields that weren't changed show what was saved since, here or on another device. */
export function useSavedElsewhere<Input extends object>(
  { hook, draft }: Pick<FormHandle<Input>, 'hook' | 'draft'>,
  saved: Input,
) {
  const { getValues, setValue } = hook
  const known = useRef(saved)
  useEffect(() => {
    const names = Object.keys(saved) as (keyof Input & string)[]
    for (const name of names)
      if (saved[name] !== known.current[name] && getValues(name) === known.current[name])
        setValue(name, saved[name])
    known.current = saved
    // Showing what was saved also stored it as a draft.
    if (draft && names.every((name) => getValues(name) === saved[name])) clearDraft(draft)
  }, [saved, draft, getValues, setValue])
}
