import { useLocation } from 'react-router'
import { ConsultLink } from '../consultations/consult-link.tsx'
import { pageMeta } from '../lib/meta.ts'
import { ReactPage } from '../lib/react-page.tsx'
import { say } from '../ui/say.ts'

export const meta = () => pageMeta(say('Your consult'), say('Opens the consult our email is about.'))

/** Shown until entry.room.tsx renders the same. */
export default function ConsultLinkPage() {
  const { pathname, search } = useLocation()
  return (
    <div id="alone" className="contents">
      <ReactPage link="a" path={pathname}>
        <ConsultLink {...{ pathname, search }} />
      </ReactPage>
    </div>
  )
}
