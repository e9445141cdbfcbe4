import type { ReactNode } from 'react'

/** An error that is read out as soon as it appears. Renders nothing without one. */
export const ErrorLine = ({ id, children }: { id?: string; children: ReactNode }) =>
  children ? (
    <p id={id} role="alert" className="text-14 font-medium text-red">
      {children}
    </p>
  ) : null
