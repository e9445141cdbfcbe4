import type { ComponentProps } from 'react'
import { say } from './say.ts'

/** A field that only programs fill in: people neither see nor hear it. */
export const Trap = ({ name = 'website', ...rest }: ComponentProps<'input'>) => (
  <div aria-hidden="true" className="absolute left-[-9999px] h-px w-px overflow-hidden">
    <label>
      {say('Leave this empty')}
      <input {...rest} type="text" name={name} tabIndex={-1} autoComplete="off" />
    </label>
  </div>
)
