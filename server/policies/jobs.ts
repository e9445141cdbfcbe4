import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Job } from '../jobs/clock.ts'
import { loadFeed } from './writes.ts'

/** A file that was written to so lately may not be whole yet. */
const QUIET = 60_000
/** What this process has looked at: loading it again would change nothing, but a year of files is long to read. */
const looked = new Set<string>()

/** Loads what the insurer puts into the watched folder, oldest first. Files stay where they are. */
const watchFeedFolder: Job = {
  name: 'load the feed',
  everyMinutes: 1,
  async run(world) {
    const { feedDir } = world.env
    if (feedDir === undefined) return 0
    const names = (await readdir(feedDir)).filter((name) => name.toLowerCase().endsWith('.csv'))
    const found = await Promise.all(
      names.map(async (name) => {
        const there = await stat(path.join(feedDir, name))
        if (!there.isFile()) return []
        const { mtimeMs, size } = there
        return [{ name, mtimeMs, mark: [feedDir, name, mtimeMs, size].join(' ') }]
      }),
    )
    const files = found.flat()
    for (const { name, mtimeMs, mark } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (looked.has(mark) || world.now().getTime() - mtimeMs < QUIET) continue
      await loadFeed(world, name, await readFile(path.join(feedDir, name)))
      looked.add(mark)
    }
    return 0
  },
}

export const policyJobs = [watchFeedFolder]
