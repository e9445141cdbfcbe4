import type { User } from '#contract/accounts.ts'
import { FormReplacement } from '../purchases/form-replacement.tsx'
import { LinkButton } from '../ui/button.tsx'
import { say } from '../ui/say.ts'

export const MemberNote = ({ user: { firstName } }: { user: User }) => (
  <FormReplacement
    title={
      firstName
        ? say('Consults cost you nothing, {firstName}', { firstName })
        : say('Consults cost you nothing')
    }
    act={
      <LinkButton variant="primary" size={56} href="/myaccount" className="max-xs:w-full">
        {say('Start from My account')}
      </LinkButton>
    }
  >
    {say('They’re part of your membership. Start one from your account: your pets are already there.')}
  </FormReplacement>
)
