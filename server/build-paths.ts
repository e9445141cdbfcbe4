import { existsSync } from 'node:fs'
import path from 'node:path'

/** The checkout, or the folder of a build that runs without one: its files are in the same places (scripts/ready.mjs). */
export const ROOT = path.resolve(import.meta.dirname, '..')

const inside = path.join(ROOT, 'client')
/** The built pages: what browsers get, and what renders them. */
export const CLIENT = existsSync(inside) ? inside : path.join(ROOT, 'build/client')
export const PAGES = path.resolve(CLIENT, '../server/index.js')
