import { useEffect } from 'react'
import { pageMeta } from '../lib/meta.ts'
import { signOut } from '../lib/session.ts'
import { useLogout } from './queries.ts'

export const meta = () => pageMeta('Signing out', 'Ends your session on this device.')

export default function Logout() {
  const { mutate: logout } = useLogout()
  useEffect(() => {
    // Without an answer the session still ends here; on the server it ends by itself.
    logout({}, { onSettled: () => (signOut(), location.replace('/login')) })
  }, [logout])

  return (
    <section className="section">
      <div className="wrap stack gap-2 text-center">
        <h1 className="t28">Signing you out</h1>
        <p role="status" className="text-ink-soft">
          One moment.
        </p>
      </div>
    </section>
  )
}
