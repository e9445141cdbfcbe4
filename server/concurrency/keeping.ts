/**
 * Keeps the latest of what takes long to make, by name. Simultaneous requests share one making, and what failed or isn't
 * worth keeping is made again.
 */
export function keeping<T>(most: number, isKept: (made: T) => boolean = () => true) {
  const all = new Map<string, Promise<T>>()
  return (name: string, make: () => Promise<T>) => {
    const made = all.get(name) ?? make()
    all.delete(name)
    all.set(name, made)
    if (all.size > most) all.delete(all.keys().next().value!)
    const forget = () => all.get(name) === made && all.delete(name)
    made.then((one) => isKept(one) || forget(), forget)
    return made
  }
}
