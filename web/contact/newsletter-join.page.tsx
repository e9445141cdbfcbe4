import type { ActionFunctionArgs } from 'react-router'
import { confirmNewsletter } from '#contract/contact.ts'
import { pageMeta } from '../lib/meta.ts'
import { OnePress, pressed } from './newsletter-parts.tsx'

export const meta = () => pageMeta('Join our community', 'Confirm that you’d like our news by email.')

export const action = (press: ActionFunctionArgs) => pressed(confirmNewsletter, press)

export default function NewsletterJoin() {
  return (
    <OnePress
      title="Join our community"
      lead="Confirm, and we’ll email you our news. You can unsubscribe at any time, with one click."
      button="Join our community"
      done="You’re on our list"
      then="Thank you. We’ve sent you an email with a link to unsubscribe."
    />
  )
}
