import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { eq, inArray, lt } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { World } from '../context.ts'
import { pageFiles } from '../db/schema.ts'
import type { Job } from '../jobs/clock.ts'
import { CLIENT } from '../places.ts'

/* Two builds run side by side during an update, and a page may ask either for its scripts and styles (decision 065). */

const ASSETS = path.join(CLIENT, 'assets')
const KEPT_DAYS = 30
const DAY = 86_400_000
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  png: 'image/png',
}
const NAME = new RegExp(String.raw`^[\w.-]{1,120}\.(?<ending>${Object.keys(TYPES).join('|')})$`)
/** So many files at a time, since together they are a few megabytes. */
const AT_ONCE = 40

type Where = Pick<World, 'db' | 'now'>

/** Puts this build's files where every instance finds them, and says that they are in use. */
export async function keepPageFiles({ db, now }: Where, folder = ASSETS): Promise<void> {
  if (!existsSync(folder)) return
  const present = new Set(readdirSync(folder))
  const names = [...present].filter((name) => NAME.test(name)).toSorted()
  const used = await db
    .update(pageFiles)
    .set({ usedAt: now() })
    .where(inArray(pageFiles.name, names))
    .returning({ name: pageFiles.name })
  const known = new Set(used.map(({ name }) => name))
  const missing = names.filter((name) => !known.has(name))
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    const rows = missing.slice(at, at + AT_ONCE).map(async (name) => ({
      name,
      content: await readFile(path.join(folder, name)),
      brotli: present.has(`${name}.br`) ? await readFile(path.join(folder, `${name}.br`)) : null,
      usedAt: now(),
    }))
    await db
      .insert(pageFiles)
      .values(await Promise.all(rows))
      .onConflictDoNothing()
  }
}

/** Keeps the files of this build, and forgets those of builds that have not run for a month. */
export const keepBuild: Job = {
  name: 'keep page files',
  lane: 'database',
  everyMinutes: 720,
  async run(world) {
    await keepPageFiles(world)
    const old = lt(pageFiles.usedAt, new Date(world.now().getTime() - KEPT_DAYS * DAY))
    await world.db.delete(pageFiles).where(old)
    return 0
  },
}

/** Answers what this build's own folder doesn't have. The name holds a hash, so its content never changes. */
export function servePageFiles(app: FastifyInstance, { db }: Pick<World, 'db'>) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/assets/:name',
    async handler(request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) {
      const { name } = request.params
      const ending = NAME.exec(name)?.groups?.['ending']
      const [file] = ending
        ? await db
            .select({ content: pageFiles.content, brotli: pageFiles.brotli })
            .from(pageFiles)
            .where(eq(pageFiles.name, name))
        : []
      // A cache in between must not remember that it isn't there.
      if (!file)
        return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('Not found')
      const takesBrotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
      const body = takesBrotli && file.brotli ? file.brotli : file.content
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'accept-encoding')
        .type(TYPES[ending!]!)
      if (body === file.brotli) reply.header('content-encoding', 'br')
      return reply.send(Buffer.from(body))
    },
  })
}
