import { money } from '#contract/regions.ts'
import type { Stage } from '../purchases/purchase.ts'
import { UnderWay } from '../purchases/under-way.tsx'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/say.ts'
import type { SentConsult } from './sent-consult.ts'

interface Props {
  sent: SentConsult
  stage: Stage | undefined
  /** The consult is paid for, and starting it failed. */
  stuck: string | undefined
  onTry: () => void
}

/** Replaces the form while a purchase finishes automatically. */
export function Finishing({ sent, stage, stuck, onTry }: Props) {
  const amount = money(sent.input.amount, sent.input.currency)
  const pet = sent.input.details?.name ?? say('your pet')
  const charged = sent.input.amount > 0

  const [title, says] = stuck
    ? [
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
    : stage === 'silence'
      ? [
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
      : stage === 'bank'
        ? [
            say('Your bank is still working on it'),
            say('This can take a minute. The page will continue automatically.'),
          ]
        : stage === 'opening'
          ? [
              charged ? say('Paid. Opening your consult') : say('Opening your consult'),
              say('A vet will read about {pet} next.', { pet }),
            ]
          : stage === 'paying'
            ? [
                say('Finishing your payment'),
                say(
                  '{amount} for {pet}. The page will continue automatically, and nothing is charged twice.',
                  {
                    amount,
                    pet,
                  },
                ),
              ]
            : [
                say('You’d started to pay'),
                say(
                  'We didn’t hear back about {amount} for {pet}. Press the button to find out. Whatever happened, you’ll only be charged once.',
                  { amount, pet },
                ),
              ]

  return (
    <UnderWay title={title} says={says} spins={stage !== undefined && !stuck}>
      {(stuck || stage === 'silence' || !stage) && (
        <div>
          <Button variant="primary" size={56} className="max-xs:w-full" onClick={onTry}>
            {stuck ? say('Try again') : stage ? say('Try now') : say('Check and finish the payment')}
          </Button>
        </div>
      )}
    </UnderWay>
  )
}
