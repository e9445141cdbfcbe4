import type { ReactNode } from 'react'

/** What went wrong, read out as soon as it shows; nothing while there is nothing to say. */
export const ErrorLine = ({ id, children }: { id?: string; children: ReactNode }) =>
  children ? (
    <p id={id} role="alert" className="text-14 font-medium text-red">
      {children}
    </p>
  ) : null
