import { LateIsland } from '../lib/island.tsx'
import { say } from '../ui/say.ts'

/** The announcement above the page. Only the browser knows if it was closed, and marks <html> before first paint. */
export const Announcement = ({ text, href }: { text: string; href: string | null }) => (
  <aside aria-label={say('Announcement')} className="bg-night text-on-night in-data-told:hidden print:hidden">
    <div className="wrap flex items-center justify-between gap-4">
      <p className="py-3 font-medium">
        {href ? (
          <a href={href} className="text-inherit">
            {text}
          </a>
        ) : (
          text
        )}
      </p>
      <button
        type="button"
        data-dismiss
        aria-label={say('Close the announcement')}
        className="-mr-3 min-h-11 flex-none rounded-full px-3 font-semi underline decoration-1 underline-offset-[0.2em] hover:decoration-2 focus-visible:outline-on-night [@media(scripting:none)]:hidden"
      >
        {say('Close')}
      </button>
    </div>
    <LateIsland name="announcement" />
  </aside>
)
