import { type User, USER_TYPES } from '#contract/accounts.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { useSavedElsewhere } from '../ui/saved-elsewhere.ts'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { useUpdateMe } from './queries.ts'

const KINDS: { name: keyof User['notifications']; title: Sentence; says: Sentence; ownersOnly: boolean }[] = [
  {
    name: 'care',
    title: sentence('Care reminders'),
    says: sentence('When your pet’s vaccination or check-up is due.'),
    ownersOnly: true,
  },
  {
    name: 'check_in',
    title: sentence('A check-in after a consult'),
    says: sentence('How your pet is doing, and what to do if it’s no better.'),
    ownersOnly: true,
  },
  {
    name: 'news',
    title: sentence('News'),
    says: sentence('Tips and updates, now and then.'),
    ownersOnly: false,
  },
]

export function ProfileEmails({ user }: { user: User }) {
  const { show } = useAlert()
  const update = useUpdateMe()
  const isOwner = user.type === USER_TYPES.owner
  const form = useForm({ defaults: user.notifications })
  useSavedElsewhere(form, user.notifications)

  return (
    <Card aria-labelledby="emails" className="stack gap-5">
      <div className="stack gap-1">
        <h2 id="emails" className="t22">
          {say('Emails you get')}
        </h2>
        <p className="text-ink-soft">
          {isOwner
            ? say('We always send receipts, links to your consults and anything that concerns your account.')
            : say('We always send anything that concerns your account.')}
        </p>
      </div>
      <Form
        form={form}
        className="stack gap-4"
        onSubmit={async (notifications) => {
          await update({ notifications })
          show(say('Your choices are saved.'))
        }}
      >
        <div className="stack gap-1">
          {KINDS.filter(({ ownersOnly }) => isOwner || !ownersOnly).map(({ name, title, says }) => (
            <Checkbox
              key={name}
              label={
                <>
                  <span className="font-medium">{say(title)}</span>
                  <span className="block text-14 leading-5 text-ink-soft">{say(says)}</span>
                </>
              }
              {...form.check(name)}
            />
          ))}
        </div>
        <div>
          <Button type="submit" size={44} busy={form.busy}>
            {say('Save choices')}
          </Button>
        </div>
      </Form>
    </Card>
  )
}
