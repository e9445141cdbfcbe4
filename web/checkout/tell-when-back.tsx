import * as lengths from '#contract/lengths.ts'
import { useIslandForm } from '../lib/island-form.ts'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { Trap } from '../ui/trap.tsx'

/** Sends one mail once a vet is on duty, so that people needn't watch this page. */
export function TellWhenBack() {
  const { state, wrong, onSubmit } = useIslandForm('/queue/tell')
  if (state === 'sent')
    return (
      <p role="status" className="mt-3 font-semi">
        {say('We’ll email you as soon as a vet is on duty.')}
      </p>
    )
  return (
    <form
      onSubmit={onSubmit}
      noValidate
      className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3 text-ink xs:max-w-[480px] xs:grid-cols-[minmax(0,1fr)_auto] xs:items-start"
    >
      <TextField
        label={say('Your email')}
        name="email"
        type="email"
        autoComplete="email"
        maxLength={lengths.email}
        help={say('One email. Then we delete your address, after a day at the latest.')}
        error={wrong}
      />
      <Trap />
      <Button type="submit" busy={state === 'sending'} className="xs:mt-8">
        {say('Email me when a vet is back')}
      </Button>
    </form>
  )
}
