import type { Room } from '#contract/consultations.ts'
import { useRate } from './queries.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { useId } from '../ui/id.ts'
import { say } from '../ui/say.ts'
import { Textarea } from '../ui/textarea.tsx'

const STARS = [1, 2, 3, 4, 5]

/** A rating in stars with a comment. It can be changed later. */
export function Rating({ room: { id, rating } }: { room: Pick<Room, 'id' | 'rating'> }) {
  const name = useId()
  const rate = useRate(id)
  const saved = { stars: rating?.stars ?? 0, words: rating?.words ?? '' }
  const form = useForm({ defaults: saved, draft: `rating:${id}` })
  const { stars, words } = form.hook.watch()
  const changed = stars !== saved.stars || words !== saved.words
  return (
    <Card aria-labelledby={`${name}-rate`} className="stack gap-2">
      <h2 id={`${name}-rate`} className="t18">
        {say('How was this consult?')}
      </h2>
      <Form
        form={form}
        className="stack justify-items-start gap-2"
        onSubmit={async (typed) => changed && (await rate({ id, ...typed }))}
      >
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
                  onChange={() => form.hook.change('stars', n)}
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
              <Textarea label={say('Anything to add?')} optional rows={2} {...form.field('words')} />
            </div>
            <div className="flex flex-wrap items-center gap-3">
              <Button
                type="submit"
                size={44}
                busy={form.busy}
                busyLabel={say('Sending…')}
                aria-disabled={!changed}
              >
                {rating ? say('Change rating') : say('Send rating')}
              </Button>
              <p role="status" className="text-14 text-ink-soft">
                {rating && !changed && say('Thank you. We read every one.')}
              </p>
            </div>
          </>
        )}
      </Form>
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
