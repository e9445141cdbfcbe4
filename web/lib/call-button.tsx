import type { UseMutationResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'

/** A button that makes a call with this input. */
export function CallButton<Input, Output>({
  call,
  input,
  onDone,
  busyLabel = '',
  ...button
}: Omit<ComponentProps<typeof Button>, 'busy' | 'onClick'> & {
  /** Several buttons may share it. */
  call: UseMutationResult<Output, Error, Input>
  input: NoInfer<Input>
  /** Returns what the alert bar then says. */
  onDone: (answer: NoInfer<Output>) => string | void
}) {
  const { show } = useAlert()
  return (
    <Button
      {...button}
      busyLabel={busyLabel}
      busy={call.isPending && JSON.stringify(call.variables) === JSON.stringify(input)}
      onClick={() =>
        call.mutate(input, {
          onSuccess: (answer) => {
            const says = onDone(answer)
            if (says) show(says)
          },
        })
      }
    />
  )
}
