import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#test/e2e/product.ts'
import { unprivilegedUser } from '#test/postgres.ts'
import { until } from './load.ts'

const DOCS = path.resolve(import.meta.dirname, '../../docs/running.md')
const PROGRAMS = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx']
const KEPT_IN_FOLDER = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** The shell runs nginx and waits until its input closes, which happens however the drill dies. */
const HOLD = '"$@" & server=$!; cat >/dev/null; kill -TERM $server; wait $server; cd / && rm -rf "$0"'

/** The example in docs/running.md with these ports and without TLS, so the drill tests what we document. */
function configurationOf(port: number, instances: number[]) {
  const example = /```nginx\n([^`]+)```/.exec(readFileSync(DOCS, 'utf8'))![1]!
  const sites = example
    .replace(/( *server 127\.0\.0\.1:)\d+(.*\n)(?: *server 127.*\n)*/, (_, before: string, after: string) =>
      instances.map((instance) => `${before}${instance}${after}`).join(''),
    )
    .replace(/listen 443 ssl/, `listen 127.0.0.1:${port}`)
  if (!instances.every((instance) => sites.includes(`:${instance} `)) || !sites.includes(`:${port};`))
    throw new Error(`The example in ${DOCS} has no instances, or listens elsewhere`)
  const folders = KEPT_IN_FOLDER.map((kind) => `${kind}_temp_path ${kind};`).join('\n')
  return `daemon off; pid pid; worker_processes 1; error_log error.log;
    events { worker_connections 4096; }
    http { access_log off;\n${folders}\n${sites}\n}`
}

/** Starts nginx in front of these instances, as docs/running.md sets it up, with its own folder. */
export async function startNginx(instances: number[]) {
  const program = PROGRAMS.find((candidate) => existsSync(candidate))
  if (!program) throw new Error('nginx was not found on this machine; Debian has it as nginx-light')
  const port = await freePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-nginx-'))
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  writeFileSync(path.join(folder, 'nginx.conf'), configurationOf(port, instances))
  const log = path.join(folder, 'error.log')
  const nginx = [program, '-e', log, '-p', folder, '-c', 'nginx.conf']
  const server = spawn('sh', ['-c', HOLD, folder, ...nginx], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    ...user,
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  const ended = once(server, 'exit')
  server.unref()
  const url = `http://127.0.0.1:${port}`
  const answers = async () => (await fetch(`${url}/api/health`).catch(() => undefined))?.ok ?? false
  if (!(await until(answers, { within: 10_000 })))
    throw new Error(`nginx does not answer:\n${readFileSync(log, 'utf8')}`)
  return {
    url,
    /** The process id of the shell that runs it. */
    pid: server.pid!,
    async stop() {
      server.ref()
      server.stdin.end()
      await ended
    },
  }
}
