// Fills an empty database and file store from a backup: npm run restore -- FROM.
import path from 'node:path'
import { readEnv } from '#server/env.ts'
import { openFiles } from '#server/providers/files.ts'
import { copyFiles, withPlace } from './backup-place.ts'
import { BackupFailed, dumpName, loadDatabase } from '#server/db/copy.ts'
import { isNewDatabase, nameOf, say } from './own-database.ts'

const [from, ...more] = process.argv.slice(2)

if (from === undefined || more.length > 0)
  say('Usage: npm run restore -- FOLDER, or npm run restore -- s3://KEY:SECRET@HOST/BUCKET/FOLDER', 1)
else
  await withPlace(from, async (backup, scratch) => {
    // A restore sends no mail and charges no card, so it needs no mail server and no payment keys.
    const env = readEnv({ ...process.env, JOBS: 'off' })
    const manifest = await backup.manifest()
    if (!manifest) throw new BackupFailed(`${backup.name} holds no whole backup.`)
    if (!(await isNewDatabase(env)))
      throw new BackupFailed(
        `${nameOf(env)} holds data already. Nothing was changed: name an empty database.`,
      )
    if (manifest.database !== dumpName(env))
      throw new BackupFailed(
        `The backup is of ${env.databaseUrl ? 'an embedded database' : 'PostgreSQL'}. Nothing was changed: ${env.databaseUrl ? 'leave DATABASE_URL out' : 'set DATABASE_URL'}.`,
      )
    say(`Database: ${nameOf(env)}, new`)
    const dump = path.join(scratch, manifest.database)
    await backup.getDatabase(manifest.database, dump)
    const rows = await loadDatabase({ ...env, programs: process.env }, dump)
    const files = await copyFiles(backup.files, openFiles(env), new Set())
    const wrong = Object.entries(manifest.rows).filter(([table, count]) => rows[table] !== count)
    for (const [table, count] of wrong)
      say(`${table} has ${rows[table] ?? 'no'} rows, the backup has ${count}.`, 1)
    if (files !== manifest.files) say(`${files} files arrived, the backup has ${manifest.files}.`, 1)
    const total = Object.values(rows).reduce((sum, one) => sum + one, 0)
    say(`Restored ${total} rows and ${files} files of ${manifest.madeAt}.`)
    say('Look at it first: JOBS=off npm start sends nothing and charges nobody.')
  })
