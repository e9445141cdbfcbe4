import type { Room } from '#contract/consultations.ts'
import { useRate } from './queries.ts'
import { messageOf } from '../lib/for-form.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useId } from '../ui/id.ts'
import { say } from '../ui/say.ts'
import { Textarea } from '../ui/textarea.tsx'
import { useTextDraft } from '../ui/text-draft.ts'

const STARS = [1, 2, 3, 4, 5]

/** A rating in stars with a comment. It can be changed later. */
export function Rating({ room: { id, rating } }: { room: Pick<Room, 'id' | 'rating'> }) {
  const name = useId()
  const rate = useRate(id)
  const keptStars = useTextDraft(`stars:${id}`, String(rating?.stars ?? 0))
  const stars = Number(keptStars.words)
  const { words, write, forget } = useTextDraft(`rating:${id}`, rating?.words ?? '')
  const trouble =
    rate.error && messageOf(rate.error, say('We couldn’t reach VetChat. Your rating is still here.'))
  const changed = stars !== (rating?.stars ?? 0) || words !== (rating?.words ?? '')
  const send = () =>
    rate.mutate(
      { id, stars, words },
      {
        onSuccess: () => {
          keptStars.forget()
          forget()
        },
      },
    )
  return (
    <Card aria-labelledby={`${name}-rate`} className="stack justify-items-start gap-2">
      <h2 id={`${name}-rate`} className="t18">
        {say('How was this consult?')}
      </h2>
      <fieldset>
        <legend className="sr-only">{say('Stars, 1 to 5')}</legend>
        <div className="-ml-2 flex gap-[2px]">
          {STARS.map((n) => (
            <label
              key={n}
              className="relative grid size-12 place-items-center rounded-full has-focus-visible:outline-3 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name={name}
                value={n}
                checked={stars === n}
                onChange={() => keptStars.write(String(n))}
                className="absolute inset-0 size-full opacity-0"
              />
              <span className="sr-only">{n === 1 ? say('1 star') : say('{n} stars', { n })}</span>
              <Star full={n <= stars} />
            </label>
          ))}
        </div>
      </fieldset>
      {stars > 0 && (
        <>
          <div className="w-full">
            <Textarea
              label={say('Anything to add?')}
              optional
              rows={2}
              value={words}
              onChange={(event) => write(event.target.value)}
            />
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              size={44}
              busy={rate.isPending}
              busyLabel={say('Sending…')}
              aria-disabled={!changed}
              onClick={() => changed && send()}
            >
              {rating ? say('Change rating') : say('Send rating')}
            </Button>
            <p role="status" className={`text-14 ${trouble ? 'text-red' : 'text-ink-soft'}`}>
              {trouble || (rating && !changed && say('Thank you. We read every one.'))}
            </p>
          </div>
        </>
      )}
    </Card>
  )
}

const Star = ({ full }: { full: boolean }) => (
  <svg
    viewBox="0 0 24 24"
    width={30}
    height={30}
    aria-hidden="true"
    fill={full ? 'currentColor' : 'none'}
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinejoin="round"
    className={full ? 'text-amber' : 'text-ink-soft'}
  >
    <path d="M12 3l2.7 5.6 6.1.9-4.4 4.3 1 6.1-5.4-2.9-5.4 2.9 1-6.1-4.4-4.3 6.1-.9z" />
  </svg>
)
