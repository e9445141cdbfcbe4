import { useEffect, useRef } from 'react'
import type { FormState } from '../ui/form-state.ts'

/** Fields that weren't changed show what was saved since, here or on another device. */
export function useSavedElsewhere<Input extends object>(
  { getValues, setValue }: Pick<FormState<Input, never>, 'getValues' | 'setValue'>,
  saved: Input,
) {
  const known = useRef(saved)
  useEffect(() => {
    for (const name of Object.keys(saved) as (keyof Input & string)[])
      if (saved[name] !== known.current[name] && getValues(name) === known.current[name])
        setValue(name, saved[name])
    known.current = saved
  }, [saved, getValues, setValue])
}
