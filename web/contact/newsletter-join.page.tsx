import type { ActionFunctionArgs } from 'react-router'
import { confirmNewsletter } from '#contract/contact.ts'
import { pageMeta } from '../lib/meta.ts'
import { OnePress, pressed } from './newsletter-parts.tsx'

export const meta = () => pageMeta('Join our community', 'Confirms that our news may come to your email.')

export const action = (press: ActionFunctionArgs) => pressed(confirmNewsletter, press)

export default function NewsletterJoin() {
  return (
    <OnePress
      title="Join our community"
      lead="Confirm, and we’ll email you our news. You can unsubscribe with one press at any time."
      button="Join our community"
      done="You are on our list"
      then="Thank you. We have sent you an email with the link to leave again."
    />
  )
}
