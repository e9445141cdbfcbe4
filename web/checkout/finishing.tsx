import { money } from '#contract/regions.ts'
import type { Stage } from '../purchases/purchase.ts'
import { Outcome } from '../purchases/outcome.tsx'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/say.ts'
import type { SentConsult } from './sent-consult.ts'

interface Props {
  sent: SentConsult
  stage: Stage | undefined
  /** Why the consult couldn't start, although it is paid for. */
  stuck: string | undefined
  onTry: () => void
}

/** The title, and what it means for the buyer. */
function stateOf({ sent, stage, stuck }: Pick<Props, 'sent' | 'stage' | 'stuck'>): [string, string] {
  const amount = money(sent.input.amount, sent.input.currency)
  const pet = sent.input.details?.name ?? say('your pet')
  const charged = sent.input.amount > 0
  if (stuck)
    return [
      stuck,
      charged
        ? say(
            'Your {amount} is safe. If this page doesn’t open your consult, we’ll email you the link within ten minutes.',
            { amount },
          )
        : say(
            'Your consult is safe. If this page doesn’t open it, we’ll email you the link within ten minutes.',
          ),
    ]
  if (stage === 'silence')
    return [
      say('We can’t reach VetChat'),
      charged
        ? say(
            'We’ll keep trying. Whatever happened, {amount} for {pet} will be charged once at most, and we’ll also email you the link to your consult.',
            { amount, pet },
          )
        : say(
            'We’ll keep trying. Whatever happened, your consult will only be started once, and we’ll also email you the link to it.',
          ),
    ]
  if (stage === 'bank')
    return [
      say('Your bank is still working on it'),
      say('This can take a minute. The page will continue automatically.'),
    ]
  if (stage === 'opening' || (stage && !charged))
    return [
      charged ? say('Paid. Opening your consult') : say('Opening your consult'),
      say('A vet will read about {pet} next.', { pet }),
    ]
  if (stage === 'paying')
    return [
      say('Finishing your payment'),
      say('{amount} for {pet}. The page will continue automatically, and nothing is charged twice.', {
        amount,
        pet,
      }),
    ]
  if (!charged)
    return [
      say('You’d started a consult'),
      say(
        'We didn’t hear back about {pet}. Press the button to find out. Whatever happened, your consult will only be started once.',
        { pet },
      ),
    ]
  return [
    say('You’d started to pay'),
    say(
      'We didn’t hear back about {amount} for {pet}. Press the button to find out. Whatever happened, you’ll only be charged once.',
      { amount, pet },
    ),
  ]
}

/** Replaces the form while a purchase finishes automatically. */
export function Finishing({ onTry, ...state }: Props) {
  const { sent, stage, stuck } = state
  const check =
    sent.input.amount > 0 ? say('Check and finish the payment') : say('Check and start the consult')
  const [title, says] = stateOf(state)
  return (
    <Outcome title={title} says={says} spins={stage !== undefined && !stuck}>
      {(stuck || stage === 'silence' || !stage) && (
        <div>
          <Button variant="primary" size={56} className="max-xs:w-full" onClick={onTry}>
            {stuck ? say('Try again') : stage ? say('Try now') : check}
          </Button>
        </div>
      )}
    </Outcome>
  )
}
