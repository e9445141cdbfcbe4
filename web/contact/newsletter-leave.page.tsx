import type { ActionFunctionArgs } from 'react-router'
import { leaveNewsletter } from '#contract/contact.ts'
import { pageMeta } from '../lib/meta.ts'
import { OnePress, pressed } from './newsletter-parts.tsx'

export const meta = () => pageMeta('Leave our list', 'Unsubscribe from our newsletter.')

export const action = (press: ActionFunctionArgs) => pressed(leaveNewsletter, press)

export default function NewsletterLeave() {
  return (
    <OnePress
      title="Leave our list"
      lead="We’ll stop sending you news. You’ll still get emails about your own consults and payments."
      button="Leave the list"
      done="You’ve left our list"
      then="We won’t send you any more news. You’re welcome back whenever you like."
    />
  )
}
