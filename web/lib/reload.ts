/** A browser does not ask again for a script that once did not come, so the page has to be asked for again. */
export async function reloadWhenReachable() {
  await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
  location.reload()
}
