import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { tokenOf } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import { hostileFiles, pictureWithStowaway, type HostileFile } from '#test/hostile-files.ts'
import { startPostgres } from '#test/postgres.ts'
import { atOnce } from '#test/at-once.ts'
import { clusterEnv } from './cluster.ts'
import { visitor } from './load.ts'
import type { Drill } from './run.ts'

const MEMORY_MIB = 300
const AT_ONCE = 4

const filesUnder = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

/** The process's peak memory, as the kernel counts it. */
const peakMemory = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** Uploads every hostile file n times. Each is refused with its own error, nothing is stored, and memory stays within bounds. */
export default {
  n: 3,
  async run(n) {
    const files = await hostileFiles()
    // The embedded database would distort the measured memory.
    await using postgres = await startPostgres()
    const env = clusterEnv(postgres.url)
    const first = await startProduct({ env })
    await first.stop()
    // Filling in the demo data takes more memory than any upload.
    await using product = await startProduct({ env, dataDir: first.dataDir })
    const token = await tokenOf('owner', product.url)
    const send = (file: Pick<HostileFile, 'content' | 'name' | 'type'>) => {
      const form = new FormData()
      form.append('image', new File([new Uint8Array(file.content)], file.name, { type: file.type }))
      return fetch(`${product.url}/api/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
    }
    const kept = () => ['files', 'receiving'].map((folder) => path.join(product.dataDir, folder))
    const present = () => kept().flatMap((folder) => filesUnder(folder))
    const { filename } = (await (
      await send({ content: (await pictureWithStowaway()).content, name: 'rex.jpg', type: 'image/jpeg' })
    ).json()) as { filename: string }
    const { hidden } = await pictureWithStowaway()
    const stowaways = present().filter((file) => readFileSync(file).includes(hidden)).length
    const before = present().length
    const other = visitor(product.url)
    const accepted: string[] = []
    const otherWords: string[] = []
    const queue = Array.from({ length: n }, () => files).flat()
    await atOnce(AT_ONCE, async () => {
      for (let file = queue.pop(); file; file = queue.pop()) {
        const answer = await send(file)
        const body = await answer.text()
        if (answer.ok) accepted.push(file.says)
        else if (!body.includes(file.refusal)) otherWords.push(`${file.says}: ${answer.status} ${body}`)
      }
    })
    const { p99, failures } = await other.stop()
    const memory = Math.round(peakMemory(product.child.pid!))
    const left = present().length - before
    const figure = {
      kinds: files.length,
      sent: files.length * n,
      accepted,
      otherWords,
      left,
      stowaways,
      memory,
      p99,
    }
    return {
      figure,
      target: `60 kinds, 0 accepted, 0 left behind, memory at its highest under ${MEMORY_MIB} MiB`,
      pass:
        files.length >= 60 &&
        filename.length > 0 &&
        accepted.length + otherWords.length + left + stowaways + failures === 0 &&
        memory < MEMORY_MIB,
    }
  },
} satisfies Drill
