import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { MINUTE } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import { loadFeed } from './feed-writes.ts'

/** A file that was written to more recently than this may be incomplete. */
const QUIET = MINUTE
/** Files that this process has seen. Loading them again would change nothing, but a year of files takes long to read. */
const looked = new Set<string>()

/** Loads the files that the insurer puts in the watched folder, oldest first. Leaves them there. */
const watchFeedFolder: Job = {
  name: 'load the policy feed',
  lane: 'files',
  everyMinutes: 1,
  async run(world) {
    const { feedDir } = world.env
    if (feedDir === undefined) return
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
  },
}

export const policyJobs = [watchFeedFolder]
