// A backup is in a folder or in a bucket. It has the database in one file, the uploaded files and a manifest.
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { BUCKET, isBucket } from '#server/env.ts'
import { openFiles, type Files } from '#server/providers/files.ts'
import { BackupFailed, type RowCounts } from '#server/db/copy.ts'
import { reasonOf, say } from './own-database.ts'

export interface Manifest {
  madeAt: string
  database: string
  rows: RowCounts
  files: number
}

const MANIFEST = 'manifest.json'

/** Opens the place of a backup, and a scratch folder on this machine that is removed afterwards. */
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
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    say(reason, 1)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function openPlace(place: string, scratch: string) {
  const inBucket = place.startsWith('s3://')
  if (inBucket && !isBucket(place)) throw new BackupFailed(`The bucket must read ${BUCKET}.`)
  /** The place without the bucket's key. */
  const name = place.replace(/\/\/.*@/, '//')
  const open = (part: string) =>
    inBucket
      ? openFiles({ filesUrl: inFolder(place, part), dataDir: scratch })
      : openFiles({ dataDir: path.join(path.resolve(place), part) })
  const [top, files] = [open('about'), open('uploads')]
  return {
    name,
    files,
    async manifest(): Promise<Manifest | null> {
      const refuse = (why: string) => Promise.reject(new BackupFailed(`${name} ${why}.`))
      const stored = await top.get(MANIFEST).catch((error) => refuse(`can’t be read: ${reasonOf(error)}`))
      if (!stored) return null
      return (json(stored.stream) as Promise<Manifest>).catch((error) =>
        error instanceof SyntaxError ? refuse('has a damaged manifest') : Promise.reject(error),
      )
    },
    /** Written last: a place without a manifest has no complete backup. */
    finish: (manifest: Manifest) => top.put(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 2))),
    putDatabase: (database: string, file: string) => top.put(database, createReadStream(file)),
    async getDatabase(database: string, file: string) {
      const stored = await top.get(database)
      if (!stored) throw new BackupFailed(`${name} has no ${database}`)
      await pipeline(stored.stream, createWriteStream(file, { mode: 0o600 }))
    },
  }
}

function inFolder(place: string, part: string) {
  const address = new URL(place)
  address.pathname = `${address.pathname.replace(/\/$/, '')}/${part}`
  return address.href
}

/** Copies the files that the target doesn't have yet, and returns their number. */
export async function copyFiles(from: Files, to: Files, has: Set<string>) {
  for await (const key of from.list()) {
    if (has.has(key)) continue
    const stored = await from.get(key)
    // The file was deleted after it was listed.
    if (!stored) continue
    await to.put(key, stored.stream)
    has.add(key)
  }
  return has.size
}
