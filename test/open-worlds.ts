/** How each world that is open is closed. A module of its own, since the set-up runs anew for each test file. */
export const openWorlds = new Set<() => Promise<void>>()
