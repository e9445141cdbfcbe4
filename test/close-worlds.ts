import { afterAll, afterEach, beforeEach } from 'vitest'
import { openWorlds } from './open-worlds.ts'

async function closeAllBut(kept: Set<() => Promise<void>>) {
  for (const close of openWorlds) if (!kept.has(close)) await close()
}

// A world opened within a test closes after it, and one for the whole file at its end.
let ofFile = new Set<() => Promise<void>>()
beforeEach(() => void (ofFile = new Set(openWorlds)))
afterEach(() => closeAllBut(ofFile))
afterAll(() => closeAllBut(new Set()))
