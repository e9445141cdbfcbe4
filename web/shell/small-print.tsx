import { useSite } from '../lib/site.ts'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'

export const smallPrint = 'inline-flex min-h-11 items-center text-ink-soft'

/** Who sells, and on which terms. */
export function SmallPrint() {
  const { year, legal } = useSite()
  return (
    <>
      <span className={smallPrint}>{`© ${year} ${legal ?? 'VetChat'}`}</span>
      <Link href="/terms-and-conditions" className={smallPrint}>
        {say('Terms and conditions')}
      </Link>
      <Link href="/privacy-policy" className={smallPrint}>
        {say('Privacy policy')}
      </Link>
    </>
  )
}
