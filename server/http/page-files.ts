import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { eq, inArray, lt } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addDays } from '#contract/time.ts'
import type { World } from '../context.ts'
import { pageFiles } from '../db/schema.ts'
import type { Job } from '../jobs/clock.ts'
import { CLIENT } from '../build-paths.ts'

/* Two builds run side by side during an update, and a page may ask either for its parts (decision 065). */

/** File names in `assets` have a hash of the content. Those of pictures don't, so their keys include the folder. */
const ASSETS = 'assets'
const FOLDERS = [ASSETS, 'scenes', 'avatars'] as const
type Folder = (typeof FOLDERS)[number]
/** For what serves all other files of a build: `servePageFiles` serves these. */
export const SERVED_HERE = FOLDERS.map((folder) => `${folder}/**`)
const keyOf = (folder: Folder, name: string) => (folder === ASSETS ? name : `${folder}/${name}`)
const KEPT_DAYS = 30
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  png: 'image/png',
}
const NAME = new RegExp(String.raw`^[\w.-]{1,120}\.(?<ending>${Object.keys(TYPES).join('|')})$`)
/** We store this many files at a time, since together they are a few megabytes. */
const AT_ONCE = 40

function namesIn(folder: Folder, client: string) {
  const from = path.join(client, folder)
  return existsSync(from) ? readdirSync(from).filter((name) => NAME.test(name)) : []
}

/** Stores this build's files for every instance, and marks them as in use. */
export async function keepPageFiles({ db, now }: Pick<World, 'db' | 'now'>, client = CLIENT): Promise<void> {
  const files = FOLDERS.flatMap((folder) =>
    namesIn(folder, client).map((name) => ({
      key: keyOf(folder, name),
      file: path.join(client, folder, name),
    })),
  )
  if (files.length === 0) return
  // Always in this order, so that instances that start together can't deadlock.
  files.sort((a, b) => (a.key < b.key ? -1 : 1))
  const used = await db
    .update(pageFiles)
    .set({ usedAt: now() })
    .where(
      inArray(
        pageFiles.name,
        files.map(({ key }) => key),
      ),
    )
    .returning({ name: pageFiles.name })
  const known = new Set(used.map(({ name }) => name))
  const missing = files.filter(({ key }) => !known.has(key))
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    const rows = missing.slice(at, at + AT_ONCE).map(async ({ key, file }) => ({
      name: key,
      content: await readFile(file),
      brotli: existsSync(`${file}.br`) ? await readFile(`${file}.br`) : null,
      usedAt: now(),
    }))
    await db
      .insert(pageFiles)
      .values(await Promise.all(rows))
      .onConflictDoNothing()
  }
}

/** Keeps the files of this build, and deletes those of builds that haven't run for a month. */
export const keepBuild: Job = {
  name: 'keep page files',
  lane: 'database',
  everyMinutes: 720,
  async run(world) {
    await keepPageFiles(world)
    const old = lt(pageFiles.usedAt, addDays(world.now(), -KEPT_DAYS))
    await world.db.delete(pageFiles).where(old)
  },
}

/** Serves these folders: this build's files from the disk, by the static plugin, and other builds' from the database. */
export function servePageFiles(app: FastifyInstance, { db }: Pick<World, 'db'>) {
  for (const folder of FOLDERS) {
    const own = new Set(namesIn(folder, CLIENT))
    app.route({
      method: ['GET', 'HEAD'],
      url: `/${folder}/:name`,
      async handler(request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) {
        const { name } = request.params
        if (own.has(name)) return reply.sendFile(`${folder}/${name}`)
        const ending = NAME.exec(name)?.groups?.['ending']
        const [file] = ending
          ? await db
              .select({ content: pageFiles.content, brotli: pageFiles.brotli })
              .from(pageFiles)
              .where(eq(pageFiles.name, keyOf(folder, name)))
          : []
        // A cache in between must not remember that the file is missing.
        if (!file)
          return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('Not found')
        const takesBrotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
        const body = takesBrotli && file.brotli ? file.brotli : file.content
        reply.header('cache-control', keptFor(folder)).header('vary', 'accept-encoding').type(TYPES[ending!]!)
        if (body === file.brotli) reply.header('content-encoding', 'br')
        return reply.send(Buffer.from(body))
      },
    })
  }
}

/** A file with a hash in its name never changes. */
export const keptFor = (folder: string) =>
  folder === ASSETS ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
