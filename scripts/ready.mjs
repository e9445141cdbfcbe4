// Prepares a checkout: installs the packages if they are stale and, with the argument `build`, builds a stale site.
// npm runs this first, on the machine's own Node, so it uses only features of Node 20.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BUILDS = [
  'react-router build',
  ...['shop', 'own', 'islands'].map((mode) => `vite build --config vite.alone.config.ts --mode ${mode}`),
  'vite build --config vite.server.config.ts',
]
const BUILD_INPUTS =
  /^(web|contract|public|server|scripts|vite\..*|react-router\.config\.ts|tsconfig\.base\.json|package(-lock)?\.json)$/
const BUILD = 'build'
/** We build here, then replace the last build. If this build fails, the last one stays whole. */
const NEXT = '.cache/building'
const LAST = '.cache/built-before'
const STAMP = 'inputs.sha256'
/** What the server reads besides its scripts, at the same paths as in the sources. */
const READ = ['server/db/migrations', 'server/urgency', 'public/logo-mark.svg']
const BIN = join('node_modules', '.bin')
const TYPEFACES = '@expo-google-fonts'
/** This file lists the font weights that we print with. */
const PRINTED = 'server/documents/typefaces.ts'
const OLDEST_NODE = 24

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

try {
  const build = process.argv.includes('build')
  if (isStale(build)) await alone(() => makeReady(build))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function isStale(build) {
  return !isInstalled() || (build && builtFrom() !== buildInputs())
}

async function makeReady(build) {
  if (!isInstalled()) await install()
  const inputs = buildInputs()
  if (!build || builtFrom() === inputs) return
  rmSync(NEXT, { recursive: true, force: true })
  mkdirSync(NEXT, { recursive: true })
  for (const line of BUILDS) {
    const [command, ...args] = line.split(' ')
    const path = [join(process.cwd(), BIN), process.env.PATH].join(delimiter)
    await run(`Building: ${line}`, join(BIN, command), args, path, {
      BUILD_DIR: NEXT,
      NODE_ENV: 'production',
    })
  }
  for (const name of READ)
    cpSync(name, join(NEXT, name), {
      recursive: true,
      filter: (file) => !/\.ts$|_snapshot\.json$/.test(file),
    })
  writeFileSync(join(NEXT, 'package.json'), JSON.stringify(packageOfBuild(), null, 2))
  writeFileSync(join(NEXT, STAMP), inputs)
  rmSync(LAST, { recursive: true, force: true })
  if (existsSync(BUILD)) renameSync(BUILD, LAST)
  renameSync(NEXT, BUILD)
  rmSync(LAST, { recursive: true, force: true })
}

/** A build's own package.json, with the commands that work without the sources, under their usual names. */
function packageOfBuild() {
  const { name, version, type, scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const start = scripts.start.replace(/^.*&& (?=NODE_ENV)/, '').replaceAll('build/app/', 'app/')
  const commands = readdirSync(join(NEXT, 'app'))
    .filter((file) => existsSync(`scripts/${file.replace(/js$/, 'ts')}`))
    .map((file) => [file.replace(/\.js$/, ''), `node app/${file}`])
  return {
    name,
    version,
    private: true,
    type,
    engines: { node: `>=${OLDEST_NODE}` },
    scripts: { start, ...Object.fromEntries(commands) },
  }
}

async function install() {
  // npm ci removes the packaged Node, so npm itself must run on the machine's own.
  const path = process.env.PATH.split(delimiter).filter((folder) => !folder.endsWith(BIN))
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  await run('Installing packages', 'npm', args, path.join(delimiter))
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return
    throw new Error(
      `On this system Node.js ${OLDEST_NODE} or later must be installed; this is ${process.version}.`,
    )
  }
  const node = join(process.cwd(), BIN, 'node')
  if (!existsSync(node))
    throw new Error('npm left out the packaged Node.js: are optional packages turned off?')
  await run('Trying the packaged Node.js', node, ['--version'], process.env.PATH)
  leaveOut()
}

// Removes 80 MB that nothing reads: Node's own headers, and the font weights that we don't print with.
function leaveOut() {
  const remove = (...names) => rmSync(join('node_modules', ...names), { recursive: true, force: true })
  for (const name of readdirSync('node_modules')) if (name.startsWith('node-linux-')) remove(name, 'include')
  const printed = readFileSync(PRINTED, 'utf8')
  for (const family of readdirSync(join('node_modules', TYPEFACES)))
    for (const entry of readdirSync(join('node_modules', TYPEFACES, family), { withFileTypes: true }))
      if (entry.isDirectory() && !printed.includes(`${TYPEFACES}/${family}/${entry.name}/`))
        remove(TYPEFACES, family, entry.name)
}

// npm writes a list of the installed packages to node_modules when it's done, so an interrupted install has none.
function isInstalled() {
  try {
    const { packages: wanted } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const { packages: present } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'))
    return Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === '' || (present[path] ? present[path].version === version : optional),
    )
  } catch {
    return false
  }
}

function builtFrom() {
  const stamp = join(BUILD, STAMP)
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
}

function buildInputs() {
  const hash = createHash('sha256')
  const add = (path) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).toSorted()) add(`${path}/${name}`)
    else if (!/\.test\.tsx?$/.test(path)) hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  }
  for (const name of readdirSync('.').toSorted()) if (BUILD_INPUTS.test(name)) add(name)
  return hash.digest('hex')
}

function run(what, command, args, path, env = {}) {
  const started = Date.now()
  process.stderr.write(`${what} …\n`)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      if (code === 0) return resolve(process.stderr.write(`  done in ${seconds} s\n`))
      process.stderr.write(Buffer.concat(output))
      reject(new Error(`${what}: failed after ${seconds} s (${signal ?? `exit code ${code}`})`))
    })
  })
}

// Lets one process at a time work in a checkout. The lock is a listening socket, so the others notice when its
// process ends, even by a crash. On Linux the socket has no file; elsewhere a crash leaves one without a listener.
async function alone(work) {
  const name = `vetchat-ready-${createHash('sha256').update(process.cwd()).digest('hex').slice(0, 24)}`
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
  const lock = createServer((waiting) => waiting.unref().on('error', () => {}))
  while (!(await isListening(lock, address))) {
    process.stderr.write('Waiting for another process that makes this checkout ready …\n')
    if (!(await hasWaited(address)) && process.platform !== 'linux') rmSync(address, { force: true })
  }
  try {
    return await work()
  } finally {
    lock.close()
  }
}

function isListening(server, address) {
  return new Promise((resolve, reject) => {
    const onError = (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error))
    server.once('error', onError).listen(address, () => resolve(server.off('error', onError)))
  })
}

function hasWaited(address) {
  return new Promise((resolve) => {
    const holder = connect(address)
    holder.once('connect', () => holder.once('close', () => resolve(true)).resume())
    holder.once('error', () => resolve(false))
  })
}
