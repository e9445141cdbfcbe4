import * as lengths from '#contract/lengths.ts'
import { NamePair } from '../lib/name-pair.tsx'
import { useRegion } from '../lib/site.ts'
import { FormSection } from '../ui/form.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { Trap } from '../ui/trap.tsx'
import type { PurchaseForm } from './purchase-rules.ts'
import { EmailField } from '../purchases/email-field.tsx'
import { MoreAboutYou } from '../purchases/more-about-you.tsx'

export function BuyerPart({ form, isFree }: { form: PurchaseForm; isFree: boolean }) {
  const { phoneExample } = useRegion()
  const { name, ref, onChange, onBlur } = form.field('website')
  return (
    <FormSection title={say('How we can reach you')}>
      <NamePair first={form.field('firstName')} last={form.field('lastName')} />
      <EmailField
        form={form}
        help={
          isFree
            ? say('For the vet’s plan and the link back to this consult.')
            : say('For your receipt, the vet’s plan and the link back to this consult.')
        }
      />
      <TextField
        label={say('Mobile number')}
        type="tel"
        maxLength={lengths.mobile}
        help={say('For example, {example}. In case the connection drops.', { example: phoneExample })}
        {...form.field('mobile')}
      />
      <MoreAboutYou form={form} what={say('this consult')} />
      <Trap {...{ name, ref, onChange, onBlur }} />
    </FormSection>
  )
}
