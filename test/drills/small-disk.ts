import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Waits until its input closes, which happens however the drill dies, and then unmounts the disk. */
const WATCH = 'cat >/dev/null; umount -l "$0"; rmdir "$0"'

export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>

/** A disk in memory that can be filled without harm. Undefined if this user may not mount one. */
export function mountSmallDisk(megabytes: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-disk-'))
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'vetchat-drill', folder]
    execFileSync('mount', options, { stdio: 'pipe' })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const watch = spawn('sh', ['-c', WATCH, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watch.unref()
  ;(watch.stdin as Socket).unref()
  const ballast = path.join(folder, 'ballast')
  const disk = {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (let size = 65_536; size >= 1; size = size >> 1)
          try {
            for (;;) writeSync(file, Buffer.alloc(size))
          } catch {
            // Smaller pieces may still fit.
          }
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    async unmount() {
      const ended = once(watch, 'exit')
      watch.ref()
      watch.stdin.end()
      await ended
    },
    [Symbol.asyncDispose]: () => disk.unmount(),
  }
  return disk
}
