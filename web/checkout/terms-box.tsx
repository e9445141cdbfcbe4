import type { ComponentProps } from 'react'
import { Checkbox } from '../ui/checkbox.tsx'
import { Link } from '../ui/link.tsx'

/** Without it nothing can be bought: {...form.check('agreed')}. */
export const TermsBox = (check: Omit<ComponentProps<typeof Checkbox>, 'label'>) => (
  <Checkbox
    label={
      <>
        I agree to the{' '}
        <Link href="/terms-and-conditions" target="_blank">
          terms and conditions
        </Link>{' '}
        and the{' '}
        <Link href="/privacy-policy" target="_blank">
          privacy policy
        </Link>
        .
      </>
    }
    {...check}
  />
)
