import { useEffect, useRef } from 'react'
import { words } from '#contract/errors.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form, type Schema, useForm } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { say } from '../ui/say.ts'
import { Spinner } from '../ui/spinner.tsx'
import { type InHand, isJoin } from './in-hand.tsx'

interface Typed {
  password: string
}
const rules = (asks: boolean): Schema<Typed> => ({
  '~standard': {
    validate: (value) =>
      asks && !(value as Typed).password
        ? { issues: [{ path: ['password'], message: words('PASSWORD_MISSING') }] }
        : { value: value as Typed },
  },
})

interface Props {
  hand: InHand
  stage: 'paying' | 'silence' | undefined
  onTry: (password: string) => void
  onForget: () => void
}

/** Stands in place of the form while nobody knows what became of a purchase. */
export function Unfinished({ hand: { input, pays }, stage, onTry, onForget }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const isNew = isJoin(input)
  const asks = isNew && stage === undefined
  const form = useForm({ schema: rules(asks), defaults: { password: '' } })
  const what = isNew ? `${pays} for you and ${input.pet.name}` : `${pays} for your membership`
  const [head, says] =
    stage === 'silence'
      ? [
          say('We can’t reach VetChat'),
          say(
            'We keep trying by ourselves. Whatever happened, {what} is charged once at most, and a mail tells you when you are in.',
            { what },
          ),
        ]
      : stage === 'paying'
        ? [say('Finishing your membership'), say('{what}. Nothing is charged twice.', { what })]
        : [
            say('You had begun to join'),
            say(
              'We did not hear what became of {what}.{n} {n2} the button to find out: whatever happened, it is charged once.',
              {
                what,
                n: isNew ? say(' Type the password you had chosen, and') : '',
                n2: isNew ? 'press' : 'Press',
              },
            ),
          ]
  return (
    <Card className="stack max-w-[592px] gap-5">
      <div role="status" className="stack gap-2">
        <h2 ref={title} tabIndex={-1} className="flex items-center gap-3 t22 outline-none">
          {stage && <Spinner className="text-green" />}
          {head}
        </h2>
        <p className="text-ink-soft">{says}</p>
      </div>
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
          {stage === 'silence' && <p className="text-14 text-red">{words('MEMBERSHIP_NOT_CREATED')}</p>}
        </Form>
      )}
    </Card>
  )
}
