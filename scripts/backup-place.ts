// Where a backup is: a folder, or a bucket's. It holds the database in one file, the files, and a manifest.
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { DatabaseInUse } from '#server/db/client.ts'
import { WrongEnv } from '#server/env.ts'
import { openFiles, type Files } from '#server/providers/files.ts'
import { BackupFailed, type RowCounts } from '#server/db/copy.ts'
import { say } from './own-database.ts'

export interface Manifest {
  madeAt: string
  database: string
  rows: RowCounts
  files: number
}

const MANIFEST = 'manifest.json'

/** A place for a backup and a scratch folder on this machine, which goes away afterwards. */
export async function withPlace(
  place: string,
  work: (backup: Awaited<ReturnType<typeof openPlace>>, scratch: string) => Promise<void>,
) {
  // Other users of this machine must not read records and pictures.
  process.umask(0o077)
  const scratch = mkdtempSync(path.join(tmpdir(), 'vetchat-backup-'))
  try {
    await work(openPlace(place, scratch), scratch)
  } catch (error) {
    if (
      error instanceof BackupFailed ||
      error instanceof DatabaseInUse ||
      error instanceof WrongEnv ||
      (error as NodeJS.ErrnoException).syscall
    )
      say((error as Error).message, 1)
    else throw error
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function openPlace(place: string, scratch: string) {
  const isBucket = place.startsWith('s3://')
  const open = (part: string) =>
    isBucket
      ? openFiles({ filesUrl: inFolder(place, part), dataDir: scratch })
      : openFiles({ dataDir: path.join(path.resolve(place), part) })
  const [top, files] = [open('about'), open('uploads')]
  return {
    files,
    async manifest(): Promise<Manifest | null> {
      const stored = await top.get(MANIFEST)
      return stored && ((await json(stored.stream)) as Manifest)
    },
    /** Comes last: a place without a manifest holds no whole backup. */
    finish: (manifest: Manifest) => top.put(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 2))),
    putDatabase: (name: string, file: string) => top.put(name, createReadStream(file)),
    async getDatabase(name: string, file: string) {
      const stored = await top.get(name)
      if (!stored) throw new BackupFailed(`${place} has no ${name}`)
      await pipeline(stored.stream, createWriteStream(file, { mode: 0o600 }))
    },
  }
}

function inFolder(place: string, part: string) {
  const address = new URL(place)
  address.pathname = `${address.pathname.replace(/\/$/, '')}/${part}`
  return address.href
}

/** Copies what the target doesn't have yet, and answers how many. */
export async function copyFiles(from: Files, to: Files, has: Set<string>) {
  for await (const key of from.list()) {
    if (has.has(key)) continue
    const stored = await from.get(key)
    // It was deleted since it was listed.
    if (!stored) continue
    await to.put(key, stored.stream)
    has.add(key)
  }
  return has.size
}
