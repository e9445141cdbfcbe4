import type { ActionFunctionArgs } from 'react-router'
import { leaveNewsletter } from '#contract/contact.ts'
import { pageMeta } from '../lib/meta.ts'
import { OnePress, pressed } from './newsletter-parts.tsx'

export const meta = () => pageMeta('Leave our list', 'Ends our news to your email.')

export const action = (press: ActionFunctionArgs) => pressed(leaveNewsletter, press)

export default function NewsletterLeave() {
  return (
    <OnePress
      title="Leave our list"
      lead="No more news from us. Emails about your own consults and payments still come."
      button="Leave the list"
      done="You have left our list"
      then="No more news will come. You are welcome back whenever you like."
    />
  )
}
