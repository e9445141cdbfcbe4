import { readFile } from 'node:fs/promises'

const [FF, TEM, FIRST_RESTART, SOI, EOI, SOS] = [0xff, 0x01, 0xd0, 0xd8, 0xd9, 0xda]

/** These markers have nothing behind them. The first two only look like markers: a stuffed byte and a fill byte. */
const isBare = (marker: number) =>
  marker === 0 || marker === FF || marker === TEM || (marker >= FIRST_RESTART && marker <= SOI)

/** How many scans a JPEG has, each of which goes over all its pixels; 0 for another file. */
export async function scansOf(path: string): Promise<number> {
  const bytes = await readFile(path)
  if (bytes[0] !== FF || bytes[1] !== SOI) return 0
  let scans = 0
  for (let at = bytes.indexOf(FF, 2); at >= 0 && at + 2 < bytes.length; at = bytes.indexOf(FF, at + 1)) {
    const marker = bytes[at + 1]!
    if (marker === EOI) break
    if (isBare(marker)) continue
    if (marker === SOS) scans++
    at += 1 + (bytes[at + 2]! << 8) + (bytes[at + 3] ?? 0)
  }
  return scans
}
