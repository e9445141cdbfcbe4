import * as lengths from '#contract/lengths.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import type { FormHandle } from '../ui/form.tsx'
import type { Buyer } from './buyer.ts'

export function MoreAboutYou({ form, what }: { form: FormHandle<Buyer>; what: string }) {
  return (
    <details className="group rounded-card border border-line">
      <summary className="flex min-h-14 list-none items-center justify-between gap-4 rounded-card px-5 py-3 font-semi hover:text-green focus-visible:rounded-card [&::-webkit-details-marker]:hidden">
        <span>
          {say('More about you and your pet {optional}', {
            optional: <span className="font-regular text-ink-soft">{say('(optional)')}</span>,
          })}
        </span>
        <Icon
          name="chevron-down"
          className="text-green transition-transform duration-(--slow) group-open:rotate-180"
        />
      </summary>
      <div className="stack gap-5 px-5 pt-2 pb-4">
        <TextField
          label={say('Postcode')}
          autoComplete="postal-code"
          maxLength={lengths.postcode}
          className="xs:max-w-40"
          {...form.field('postcode')}
        />
        <TextField
          label={say('Address')}
          autoComplete="address-line1"
          maxLength={lengths.address}
          {...form.field('address')}
        />
        <div className="stack gap-2">
          <TextField
            label={say('Your own vet clinic')}
            autoComplete="off"
            maxLength={lengths.clinic}
            {...form.field('clinic')}
          />
          <Checkbox
            label={say(
              'Our vet may share {what} with my clinic. If this isn’t ticked, we don’t keep the clinic’s name.',
              {
                what,
              },
            )}
            {...form.check('shares')}
          />
        </div>
        <Checkbox label={say('Send me news about pets by email, now and then.')} {...form.check('news')} />
      </div>
    </details>
  )
}
