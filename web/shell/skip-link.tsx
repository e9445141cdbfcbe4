import type { ComponentProps } from 'react'
import { say } from '../ui/say.ts'

/** The first Tab stop. It skips the header. */
export const SkipLink = ({ children = say('Skip to content'), ...rest }: ComponentProps<'a'>) => (
  <a
    href="#main"
    {...rest}
    className="absolute -top-20 left-4 z-60 rounded-small bg-card px-5 py-3 font-semi text-green focus:top-2.5 focus:shadow-float"
  >
    {children}
  </a>
)
