/** How to close each open world. A module of its own, since the set-up runs again for each test file. */
export const openWorlds = new Set<() => Promise<void>>()
