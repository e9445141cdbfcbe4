import { POLICY_CODE_HOURS } from '#contract/policies.ts'
import * as lengths from '#contract/lengths.ts'
import { messageOf } from '../lib/for-form.ts'
import { noCode } from '../lib/rules.ts'
import { Button } from '../ui/button.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { useAskPolicyCode, useConfirmPolicy } from './queries.ts'

const needsCode = ({ code }: { code: string }) => ({ code: noCode(code, 'RESET_CODE_MISSING') })

/** Asks for the code that was mailed to the holder at the insurer's address, which may differ from the account's. */
export function PolicyCodeForm({
  policy,
  pet,
  onConfirmed,
}: {
  policy: string
  pet: string
  onConfirmed: () => void
}) {
  const confirm = useConfirmPolicy()
  const ask = useAskPolicyCode()
  const form = useForm({ rules: needsCode, defaults: { code: '' } })

  async function submit(typed: { code: string }) {
    await confirm(typed)
    onConfirmed()
  }

  return (
    <Form form={form} onSubmit={submit} className="stack gap-5">
      <p>
        {say(
          'We’ve emailed a code to the address the insurer has for policy {policy}. {pet}’s cover begins once you enter it; until then, nothing is covered.',
          { policy: <span className="font-medium whitespace-nowrap">{policy}</span>, pet },
        )}
      </p>
      <TextField
        label={say('Code from the email')}
        type="code"
        maxLength={lengths.mailedCode}
        help={say('The code works for {hours} hours.', { hours: POLICY_CODE_HOURS })}
        {...form.field('code')}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" busy={form.busy} busyLabel={say('Confirming…')}>
          {say('Confirm policy')}
        </Button>
        <Button
          variant="text"
          busy={ask.isPending}
          busyLabel={say('Sending…')}
          onClick={() => ask.mutate({ policy })}
        >
          {say('Send a new code')}
        </Button>
      </div>
      <p role="status" className="text-14 text-ink-soft empty:hidden">
        {ask.isSuccess && say('A new code is on its way. The old one no longer works.')}
        {ask.error && say(messageOf(ask.error, say('We couldn’t reach VetChat. Please ask again.')))}
      </p>
    </Form>
  )
}
