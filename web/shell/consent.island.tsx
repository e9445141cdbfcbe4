import { useEffect, useState } from 'react'
import { tellAnalytics } from '../lib/analytics.ts'
import { choices, choose } from '../lib/session.ts'
import { say } from '../ui/say.ts'

const button =
  'inline-flex min-h-11 flex-1 items-center justify-center rounded-full border border-line-strong bg-card px-5 font-semi text-ink hover:bg-green-soft hover:text-green-soft-ink focus-visible:rounded-full sm:flex-none'

const tellPage = () => tellAnalytics({ event: 'page', path: location.pathname })

/** Asks once whether we may count visits. Either answer takes one press. Only shown where visits are counted. */
export default function Consent() {
  const [asks, setAsks] = useState(() => choices()['consent'] === undefined)
  useEffect(tellPage, [])
  useEffect(() => {
    // Visitors can change their answer on the privacy page.
    const again = ({ target }: Event) => (target as Element).closest('[data-ask-again]') && setAsks(true)
    document.addEventListener('click', again)
    return () => document.removeEventListener('click', again)
  }, [])
  const answer = (consent: 'yes' | 'no') => {
    choose({ consent })
    setAsks(false)
    tellPage()
    document.dispatchEvent(new Event('consent'))
  }
  if (!asks) return null
  return (
    <section
      data-consent
      aria-label={say('Counting visits')}
      className="fixed inset-x-0 bottom-0 z-40 max-h-[50vh] overflow-y-auto border-t border-line bg-card py-4 shadow-float print:hidden [html:has(dialog:modal)_&]:hidden"
    >
      <div className="wrap flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
        <p className="max-w-measure">
          {say(
            'May we count which pages are read? We record only the page and the time, nothing about you. {policy}',
            {
              policy: <a href="/privacy-policy">{say('Privacy policy')}</a>,
            },
          )}
        </p>
        <div className="flex w-full gap-3 sm:w-auto">
          <button type="button" className={button} onClick={() => answer('no')}>
            {say('No, thank you')}
          </button>
          <button type="button" className={button} onClick={() => answer('yes')}>
            {say('Yes, count me')}
          </button>
        </div>
      </div>
    </section>
  )
}
