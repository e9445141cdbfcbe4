import { useState } from 'react'
import type { Coupon } from '#contract/coupons.ts'
import { CURRENCIES, type Currency, REGION_IDS, REGIONS } from '#contract/regions.ts'
import * as lengths from '#contract/lengths.ts'
import { Button } from '../ui/button.tsx'
import { ChangedMeanwhile } from '../ui/changed-meanwhile.tsx'
import { DateField } from '../ui/date-field.tsx'
import { FieldPair, type FormHandle, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Segments } from '../ui/radio.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import {
  besideShown,
  changesOf,
  couponRules,
  sentOf,
  type CouponTyped,
  type Kind,
  newCode,
  typedOf,
} from './coupon-rules.ts'
import { useSaveCoupon } from './queries.ts'

const KINDS: { value: Kind; label: string }[] = [
  { value: 'percent_off', label: 'Percent off' },
  { value: 'amount_off', label: 'Amount off' },
  { value: 'left_to_pay', label: 'Fixed price' },
]
const PRODUCTS: { value: Coupon['product']; label: string }[] = [
  { value: 'both', label: 'Both' },
  { value: 'consult', label: 'One consult' },
  { value: 'membership', label: 'Membership' },
]

export function CouponDialog({ coupon, onClose }: { coupon: Coupon | undefined; onClose: () => void }) {
  /** What somebody else saved first. */
  const [current, setCurrent] = useState<Coupon>()
  const save = useSaveCoupon(setCurrent)
  const form = useForm({
    rules: couponRules,
    defaults: typedOf(coupon),
    draft: coupon ? undefined : 'coupon',
  })
  const { kind, region, product } = form.hook.watch()

  return (
    <FormDialog
      title={coupon ? `Edit ${coupon.code}` : 'New coupon'}
      form={form}
      does={coupon ? 'Save changes' : 'Create coupon'}
      onClose={onClose}
      onSubmit={async (typed) => {
        const saved = await save(sentOf(typed, current ?? coupon)).catch((refusal: unknown) => {
          throw besideShown(refusal, kind)
        })
        return coupon ? `${saved.code} has been updated.` : `${saved.code} is ready to use.`
      }}
    >
      {current && (
        <ChangedMeanwhile
          changes={changesOf(form.hook.watch(), current)}
          onTake={() => form.hook.setValues(typedOf(current))}
        />
      )}
      <TextField
        label="Code"
        type="code"
        maxLength={lengths.code}
        help="Capitals don’t matter."
        beside={
          !coupon && (
            <Button
              onClick={() => {
                const made = newCode()
                form.hook.setValue('code', made)
                form.hook.change('code', made)
              }}
            >
              Generate one
            </Button>
          )
        }
        {...form.field('code')}
      />
      <TextField
        label="Referrer"
        maxLength={lengths.referrer}
        autoComplete="off"
        help="Where it comes from, such as a partner or a campaign."
        {...form.field('referrer')}
      />
      <Segments legend="Discount" options={KINDS} {...form.field('kind')} />
      <FieldPair>
        <Discount form={form} kind={kind} currency={region && REGIONS[region].currency} />
        <Select
          label="Region"
          options={REGION_IDS.map((value) => ({ value, label: REGIONS[value].name }))}
          {...form.field('region')}
        >
          <option value="">Every region</option>
        </Select>
      </FieldPair>
      <Segments legend="What it’s for" options={PRODUCTS} {...form.field('product')} />
      {product !== 'consult' && (
        <TextField
          label="Months of membership"
          type="digits"
          optional
          help="If left empty, it applies to the first payment only."
          {...form.field('length')}
        />
      )}
      <FieldPair>
        <TextField
          label="Total uses"
          type="digits"
          optional
          help="If left empty, there’s no limit."
          {...form.field('uses')}
        />
        <TextField
          label="Uses per buyer"
          type="digits"
          optional
          help="We tell buyers apart by email."
          {...form.field('uses_each')}
        />
      </FieldPair>
      <DateField
        label="Last day"
        optional
        help={`Day, month, year. It’s valid until midnight${region ? ` in ${REGIONS[region].timesIn}` : ''}.`}
        {...form.control('end')}
      />
    </FormDialog>
  )
}

type CouponForm = FormHandle<CouponTyped>

function Discount({ form, kind, currency }: { form: CouponForm; kind: Kind; currency: Currency | '' }) {
  if (kind === 'percent_off')
    return (
      <TextField
        key={kind}
        label="Percent off"
        type="digits"
        maxLength={3}
        help="100 makes it free."
        {...form.field('percent_off')}
      />
    )
  const money = currency && ` (${CURRENCIES[currency].name})`
  return (
    <TextField
      key={kind}
      label={`${kind === 'amount_off' ? 'Amount off' : 'Fixed price'}${money}`}
      inputMode="decimal"
      autoComplete="off"
      help={kind === 'amount_off' ? 'For example, 50 or 39.95.' : 'What the buyer pays, for example 5.'}
      {...form.field(kind)}
    />
  )
}
