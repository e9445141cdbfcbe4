// Loads a file of the partner insurer's feed: npm run feed -- FILE [--yes] [--new]. Uses the server's database.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { loadFeed } from '#server/policies/feed-writes.ts'
import { optionsOf, say } from './own-database.ts'
import { withWorld } from './own-world.ts'

const USAGE = 'npm run feed -- FILE [--yes] [--new]'
const { options, makesNew } = optionsOf(process.argv.slice(2))
const isAgreed = options.includes('--yes')
const [file, ...more] = options.filter((option) => option !== '--yes')

if (file === undefined || more.length > 0) say(`Usage: ${USAGE}`, 1)
else {
  const content = await readFile(file).catch(() => say(`We couldn’t read ${file}.`, 1))
  if (content)
    await withWorld(
      async (world) => report(file, await loadFeed(world, basename(file), content, isAgreed)),
      makesNew,
      'Nothing was changed: put the file into FEED_DIR of the running server instead.',
    )
}

function report(file: string, run: Awaited<ReturnType<typeof loadFeed>>) {
  const { state, isNew, added, changed, lapsed, badRows } = run
  for (const { row, why } of badRows) say(`Row ${row} ${why}.`)
  const counts = `${added} new, ${changed} changed, ${lapsed} ended, ${badRows.length} bad rows`
  if (state === 'refused') say(`${file} could not be used. Nothing was changed.`, 1)
  else if (state === 'waiting')
    say(
      `${file} would end too many policies (${counts}). Nothing was changed. If it is right: npm run feed -- ${file} --yes`,
      1,
    )
  else if (isNew) say(`${file} was applied: ${counts}.`)
  else say(`${file} was applied before (${counts}). Nothing was changed.`)
}
