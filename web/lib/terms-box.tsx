import type { ComponentProps } from 'react'
import { Checkbox } from '../ui/checkbox.tsx'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'

/** Required for every purchase: {...form.check('agreed')}. */
export const TermsBox = (check: Omit<ComponentProps<typeof Checkbox>, 'label'>) => (
  <Checkbox
    label={
      <>
        {say('I agree to the {terms} and the {privacy}.', {
          terms: (
            <Link href="/terms-and-conditions" target="_blank">
              {say('terms and conditions')}
            </Link>
          ),
          privacy: (
            <Link href="/privacy-policy" target="_blank">
              {say('privacy policy')}
            </Link>
          ),
        })}
      </>
    }
    {...check}
  />
)
