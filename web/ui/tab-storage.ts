/** Stores a text until the tab closes, or deletes it. False if storage is full or blocked. */
export function keepInTab(key: string, text: string | null): boolean {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}
