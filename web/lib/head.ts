// Runs before the first paint, so that the header is right from the start. Runs again when another tab
// signs in or out, and when the page is restored from the back-forward cache.
{
  const mark = () => {
    const root = document.documentElement
    let signedIn = false
    let told
    let type
    let open
    let member
    try {
      const { token, singleToken, user = '{}', vetchat = '{}' } = localStorage
      const { remember, clock = 0, ...closed } = JSON.parse(vetchat)
      told = closed.told
      open = closed.open && !!(token || singleToken)
      const { exp } = JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')))
      signedIn = exp * 1e3 > Date.now() + clock && (remember || /\bvetchat_here=1/.test(document.cookie))
      member = signedIn && closed.member
      type = signedIn && JSON.parse(user).type
    } catch {
      // Nobody is signed in.
    }
    root.toggleAttribute('data-in', signedIn)
    root.toggleAttribute('data-staff', type > 1)
    root.toggleAttribute('data-admin', type === 3)
    root.toggleAttribute('data-member', !!member)
    root.toggleAttribute('data-consult', !!open)
    root.toggleAttribute('data-told', !!told && told === root.dataset.announcement)
  }
  mark()
  addEventListener('storage', mark)
  addEventListener('pageshow', mark)

  // A part of this page no longer exists, such as after an update. A new document has its own, and drafts are stored.
  const again = async () => {
    try {
      const now = Date.now()
      if (now - (sessionStorage.again ?? 0) < 6e4 || !(await fetch('/api/health')).ok) return
      sessionStorage.again = now
      location.reload()
    } catch {
      // Offline, or there is no storage to remember that we tried.
    }
  }
  addEventListener('vite:preloadError', again)
  addEventListener('error', ({ target }) => /assets/.test((target as HTMLScriptElement).src) && again(), true)
  // The stylesheet may have failed before this script ran.
  addEventListener('load', () => document.styleSheets[0]?.cssRules.length || again())

  // Islands load after the text, because they would compete with it on a slow connection.
  const { islands: src } = document.documentElement.dataset
  const move = () =>
    document.head.append(Object.assign(document.createElement('script'), { src, type: 'module' }))
  if (src) addEventListener('load', () => requestAnimationFrame(() => setTimeout(move)))
}
