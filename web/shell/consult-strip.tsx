import { DRAWN_SPECIES } from '../ui/avatar.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'

/**
 * Leads back to an open consult from every public page. It appears before the first paint, and only if this browser
 * knows of one. `consultations/strip.ts` then fills in its state; until then, its link leads to the purchase page.
 */
export const ConsultStrip = () => (
  <aside aria-label={say('Your open consult')} className="contents">
    {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its words are deeper than the rule looks */}
    <a
      href="/chat-purchase"
      data-strip
      data-drawings={DRAWN_SPECIES.map(([drawing]) => drawing).join(' ')}
      className="hidden border-b border-line bg-green-soft text-green-soft-ink no-underline hover:bg-green-soft-hover focus-visible:-outline-offset-3 in-data-consult:block print:hidden"
    >
      <span className="wrap flex min-h-12 items-center gap-3 py-[2px] leading-[1.3]">
        <span className="size-8 flex-none overflow-hidden rounded-full bg-card">
          <img src="/avatars/other.svg" alt="" width={32} height={32} loading="lazy" className="size-full" />
        </span>
        <span className="min-w-0 sm:truncate">
          <strong data-says className="font-semi">
            {say('Your consult is open')}
          </strong>
          <span data-about className="max-sm:hidden" />
        </span>
        <span
          data-count
          hidden
          className="grid h-6 min-w-6 flex-none place-items-center rounded-full bg-green px-1 text-14 font-semi text-on-green"
        />
        <span className="ml-auto flex flex-none items-center gap-1 font-semi underline decoration-1 underline-offset-[0.2em]">
          {say('Open')}
          <Icon name="chevron-right" size={16} />
        </span>
      </span>
    </a>
  </aside>
)
