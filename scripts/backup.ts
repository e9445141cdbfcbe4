// Copies the database and the files: npm run backup -- TO, a new folder or s3://KEY:SECRET@HOST/BUCKET/FOLDER.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { readEnv } from '#server/env.ts'
import { openFiles } from '#server/providers/files.ts'
import { copyFiles, withPlace } from './backup-place.ts'
import { BackupFailed, dumpDatabase, dumpName } from '#server/db/copy.ts'
import { isNewDatabase, nameOf, say } from './own-database.ts'

const [to, ...more] = process.argv.slice(2)

if (to === undefined || more.length > 0)
  say('Usage: npm run backup -- FOLDER, or npm run backup -- s3://KEY:SECRET@HOST/BUCKET/FOLDER', 1)
else
  await withPlace(to, async (backup, scratch) => {
    // A backup sends no mail and charges no card, so it needs no mail server and no payment keys.
    const env = readEnv({ ...process.env, JOBS: 'off' })
    if (await isNewDatabase(env)) throw new BackupFailed(`There is no VetChat database yet: ${nameOf(env)}.`)
    if (await backup.manifest()) throw new BackupFailed('There is a backup already. Name a new place.')
    say(`Database: ${nameOf(env)}`)
    const files = openFiles(env)
    const copied = new Set<string>()
    // Files are copied before and after the database, so the backup has every file that a row refers to.
    await copyFiles(files, backup.files, copied)
    const dump = path.join(scratch, dumpName(env))
    const madeAt = new Date().toISOString()
    const rows = await dumpDatabase({ ...env, programs: process.env }, dump)
    await backup.putDatabase(dumpName(env), dump)
    const count = await copyFiles(files, backup.files, copied)
    await backup.finish({ madeAt, database: dumpName(env), rows, files: count })
    const total = Object.values(rows).reduce((sum, one) => sum + one, 0)
    say(`Backed up ${total} rows in ${Object.keys(rows).length} tables, and ${count} files.`)
    say(
      existsSync(path.join(env.dataDir, 'secret')) && !env.secret
        ? `Keep ${path.join(env.dataDir, 'secret')} somewhere else: it isn’t in the backup.`
        : 'Keep SECRET somewhere else: it isn’t in the backup.',
    )
  })
