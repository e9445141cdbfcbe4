import { sentenceOf } from '#contract/errors.ts'
import { noPassword } from '../lib/rules.ts'
import type { Stage } from '../purchases/purchase.ts'
import { Outcome } from '../purchases/outcome.tsx'
import { Button } from '../ui/button.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { say } from '../ui/say.ts'
import { isJoin, type SentMembership } from './joining.ts'

interface Props {
  sent: SentMembership
  stage: Stage | undefined
  onTry: (password: string) => void
  onForget: () => void
}

/** For new people these mention the pet; for owners only the membership. */
const silence = (price: string, pet: string | undefined) =>
  pet === undefined
    ? say(
        'We’ll keep trying. Whatever happened, {price} for your membership will be charged once at most, and we’ll email you when it starts.',
        { price },
      )
    : say(
        'We’ll keep trying. Whatever happened, {price} for you and {pet} will be charged once at most, and we’ll email you when your membership starts.',
        { price, pet },
      )
const paying = (price: string, pet: string | undefined) =>
  pet === undefined
    ? say('{price} for your membership. Nothing is charged twice.', { price })
    : say('{price} for you and {pet}. Nothing is charged twice.', { price, pet })
const begun = (price: string, pet: string | undefined) =>
  pet === undefined
    ? say(
        'We didn’t hear back about {price} for your membership. Press the button to find out. Whatever happened, you’ll only be charged once.',
        { price },
      )
    : say(
        'We didn’t hear back about {price} for you and {pet}. Type the password you chose, then press the button to find out. Whatever happened, you’ll only be charged once.',
        { price, pet },
      )

/** Replaces the form while the outcome of a purchase is unknown. */
export function Unfinished({ sent: { input, pays }, stage, onTry, onForget }: Props) {
  const isNew = isJoin(input)
  const asks = isNew && stage === undefined
  const form = useForm({
    rules: ({ password }) => ({ password: asks && noPassword(password) }),
    defaults: { password: '' },
  })
  const pet = isNew ? input.pet.name : undefined
  const [title, says] =
    stage === 'silence'
      ? [say('We can’t reach VetChat'), silence(pays, pet)]
      : stage === 'paying'
        ? [say('Finishing your membership'), paying(pays, pet)]
        : [say('You’d started to join'), begun(pays, pet)]
  return (
    <Outcome title={title} says={says} spins={stage !== undefined}>
      {stage !== 'paying' && (
        <Form form={form} onSubmit={({ password }) => onTry(password)} className="stack gap-5">
          {asks && (
            <PasswordField label={say('Password')} autoComplete="new-password" {...form.field('password')} />
          )}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Button type="submit" variant="primary" size={56} className="max-xs:w-full">
              {stage ? say('Join Now: try again') : say('Join Now: check and finish')}
            </Button>
            {!stage && (
              <Button variant="text" onClick={onForget}>
                {say('Start over')}
              </Button>
            )}
          </div>
          {stage === 'silence' && (
            <p className="text-14 text-red">{say(sentenceOf('MEMBERSHIP_NOT_CREATED'))}</p>
          )}
        </Form>
      )}
    </Outcome>
  )
}
