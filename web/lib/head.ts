// Runs before the first paint, so that the header shows Login or My account without a flash.
{
  try {
    const { token, vetchat = '{}' } = localStorage
    const { remember, clock = 0 } = JSON.parse(vetchat)
    const { exp } = JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')))
    if (exp * 1e3 > Date.now() + clock && (remember || /\bvetchat_here=1/.test(document.cookie)))
      document.documentElement.dataset.in = ''
  } catch {
    // Nobody is signed in.
  }
}
