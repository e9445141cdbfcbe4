import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'

/** Shown on pages that React runs, which can't send anything without scripts. */
export function NeedsScript() {
  return (
    <noscript>
      <div className="wrap pt-6">
        <Note tone="wait" icon="info" title={say('This page needs JavaScript')}>
          {say('Switch it on for this site in your browser’s settings, then load the page again.')}
        </Note>
      </div>
    </noscript>
  )
}
