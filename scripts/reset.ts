// Deletes the product's data from DATA_DIR. The next start creates it again.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseInUse, lockFolder } from '#server/db/client.ts'
import { readEnv, WrongEnv } from '#server/env.ts'
import { say } from './own-database.ts'

const DATA = ['database', 'files', 'receiving', 'outgoing', 'secret']

try {
  const { dataDir, databaseUrl } = readEnv()
  if (databaseUrl) say('DATABASE_URL is set: reset empties the embedded database only', 1)
  else if (!existsSync(join(dataDir, 'database', 'PG_VERSION'))) say(`Nothing to reset in ${dataDir}`)
  else {
    const release = await lockFolder(dataDir)
    for (const name of DATA) rmSync(join(dataDir, name), { recursive: true, force: true })
    release()
    say(`Emptied ${dataDir}`)
  }
} catch (error) {
  if (!(error instanceof DatabaseInUse || error instanceof WrongEnv)) throw error
  say(error.message, 1)
}
