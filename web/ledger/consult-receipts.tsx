import { useQuery } from '@tanstack/react-query'
import { money } from '#contract/regions.ts'
import { receiptsOf } from './queries.ts'
import { useSession } from '../lib/session.ts'
import { Button } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'

/** The receipts of a single consult. People with an account find them in their profile. */
export function Receipts({ id }: { id: number }) {
  const isGuest = useSession() === 'out'
  const { data, isError, refetch } = useQuery({ ...receiptsOf(id), enabled: isGuest })
  if (!isGuest) return <Link href="/myaccount/profile#receipts">{say('Receipts in your profile')}</Link>
  if (isError)
    return (
      <Button variant="text" size={44} onClick={() => void refetch()}>
        {say('Load the receipts again')}
      </Button>
    )
  return (
    <ul className="flex flex-wrap gap-x-4">
      {(data ?? []).map(({ id: line, number, kind, tax_invoice, amount, currency, url }) => (
        <li key={line}>
          <a href={url} className="inline-flex min-h-11 items-center">
            {kind === 'refund'
              ? say('Refund {number},', { number })
              : tax_invoice
                ? say('Tax invoice {number},', { number })
                : say('Receipt {number},', { number })}{' '}
            {money(Math.abs(amount), currency)}
          </a>
        </li>
      ))}
    </ul>
  )
}
