import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#test/e2e/product.ts'
import { fetched } from '../bench/fetched.ts'

const REDIS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((program) => existsSync(program))

/** Starts a program that ends with the drill at the latest. */
function spawned(program: string, args: string[]) {
  const server = spawn(program, args, { stdio: 'ignore', cwd: tmpdir() })
  const kill = () => void server.kill('SIGKILL')
  process.once('exit', kill)
  return {
    pid: server.pid!,
    end() {
      kill()
      process.off('exit', kill)
    },
  }
}

/** A bucket in a folder, as s3rver serves it. */
export async function startBucket() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-bucket-'))
  const port = await freePort()
  const program = path.join(await fetched('s3rver', '3.7.1'), 'bin/s3rver.js')
  const args = ['-a', '127.0.0.1', '-p', `${port}`, '-d', folder, '--configure-bucket', 'uploads']
  const { end } = spawned(process.execPath, [program, ...args])
  return {
    env: { FILES_URL: `s3://S3RVER:S3RVER@127.0.0.1:${port}/uploads` },
    holds: (name: string) => globSync(`${folder}/**/*${name}*`).length > 0,
    [Symbol.dispose]() {
      end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function startRedis() {
  if (!REDIS) throw new Error('redis-server was not found on this machine')
  const port = await freePort()
  const { pid, end } = spawned(REDIS, ['--port', `${port}`, '--save', ''])
  return {
    env: { REDIS_URL: `redis://127.0.0.1:${port}` },
    pid,
    stop: end,
    [Symbol.dispose]: end,
  }
}
