// Runs before the first paint, so that the header shows Login or My account without a flash. Again when another tab
// signs in or out, and when the page comes back from the browser's memory.
{
  const mark = () => {
    let signedIn = false
    try {
      const { token, vetchat = '{}' } = localStorage
      const { remember, clock = 0 } = JSON.parse(vetchat)
      const { exp } = JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')))
      signedIn = exp * 1e3 > Date.now() + clock && (remember || /\bvetchat_here=1/.test(document.cookie))
    } catch {
      // Nobody is signed in.
    }
    document.documentElement.toggleAttribute('data-in', signedIn)
  }
  mark()
  addEventListener('storage', mark)
  addEventListener('pageshow', mark)
}
