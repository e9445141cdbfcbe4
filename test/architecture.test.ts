import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { routes } from '#web/routes.ts'
import { readSources, sourceOf, type Source } from './sources.ts'

interface Rule {
  says: string
  because: string
  /** Returns a line for each place that breaks the rule. */
  broken: (sources: Source[]) => string[]
  /** Files that break the rule, which prove that it works. */
  planted: Record<string, string>
  /** True if the planted files break the rule only together; otherwise each breaks it alone. */
  together?: true
}

const TABLE_WRITERS: Record<string, string[]> = {
  'server/identity/session.ts': ['sessions'],
  'server/identity/end-sessions.ts': ['sessions'],
  'server/identity/audit.ts': ['auditLog'],
  'server/identity/consent.ts': ['consents'],
  'server/identity/single-use-tokens.ts': ['spent'],
  'server/identity/limits.ts': ['tries'],
  'server/mail/outbox.ts': ['mails'],
  'server/mail/sms-outbox.ts': ['smsMessages'],
  'server/jobs/moved-clock.ts': ['settings'],
  'server/http/page-files.ts': ['pageFiles'],
  'server/providers/stripe-sandbox/store.ts': [
    'sandboxObjects',
    'sandboxAnswers',
    'sandboxDeliveries',
    'sandboxFaults',
  ],
  'server/identity/codes.ts': ['mailedCodes'],
  'server/documents/uploads.ts': ['uploads'],
}
const SPEAKS_SQL = /^server\/(\w+\/([a-z]+-)?(reads|writes|jobs)\.ts$|db\/)/
const STYLES = ['web/app.css', 'web/ui/tokens.css'].map((file) => readFileSync(file, 'utf8')).join('')
const TEST = /^(web\/)?test\/|\.test\.tsx?$/
/** Server folders that aren't slices. */
const THEMES = 'concurrency|db|providers|http|live|jobs|identity|mail|documents'
const SERVER_SLICE = new RegExp(`^server/(?!(?:${THEMES})/)(\\w+)/`)
const WEB_SLICE = /^web\/(?!ui\/|lib\/|test\/)([\w-]+)\//
const TABLES = /^(drizzle-orm|pg|@electric-sql\/pglite)(\/|$)|^server\/db\/schema\.ts$/
const VENDORS = /^(stripe|nodemailer|aws4fetch|@aws-sdk|@redis|redis|@socket\.io|flydrive|sharp)(\/|$)/

/** Files in `where` import nothing that `forbidden` finds; `spare` names the files that may. */
const noImport =
  (
    where: RegExp,
    forbidden: (from: string, file: string) => boolean,
    spare: (file: string) => boolean = () => false,
  ) =>
  (sources: Source[]) =>
    sources
      .filter(({ path }) => where.test(path) && !spare(path))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ from }) => forbidden(from, path))
          .map(({ from, line }) => `${path}:${line} imports ${from}`),
      )

const noUse =
  (where: RegExp, forbidden: RegExp, spare: (file: string, what: string) => boolean) => (sources: Source[]) =>
    sources
      .filter(({ path }) => where.test(path))
      .flatMap(({ path, uses }) =>
        uses
          .filter(({ what }) => forbidden.test(what) && !spare(path, what))
          .map(({ what, line }) => `${path}:${line} uses ${what}`),
      )

const onlyNames = (where: RegExp, allowed: RegExp) => (sources: Source[]) =>
  sources.filter(({ path }) => where.test(path) && !allowed.test(path)).map(({ path }) => path)

const isOurs = (from: string) => /^(contract|server|web|test)\//.test(from)
const sliceOf = (path: string) => SERVER_SLICE.exec(path)?.[1]

const project = readSources()

/** The list of tables names the slices that write each one. */
const owners = new Map<string, string[]>()
for (const [, slices, tables] of project
  .find(({ path }) => path === 'server/db/schema.ts')!
  .code.matchAll(/^\/\* ([\w, ]+) \*\/\nexport \{([^}]+)\}/gm))
  for (const table of tables!.matchAll(/\w+/g)) owners.set(table[0], slices!.split(', '))

function changesElsewhere(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith('server/') && !TEST.test(path) && !path.startsWith('server/db/'))
    .flatMap(({ path, changes }) =>
      changes
        .filter(({ table }) => {
          const slice = sliceOf(path)
          return !(slice ? owners.get(table)?.includes(slice) : TABLE_WRITERS[path]?.includes(table))
        })
        .map(({ table, line }) => `${path}:${line} changes ${table} of ${owners.get(table)?.join(' and ')}`),
    )
}

/** Finds cycles of imports between names. `nameOf` names the unit that a file belongs to. */
const cycles = (nameOf: (path: string) => string | undefined) => (sources: Source[]) => {
  const next = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const here = nameOf(path)
    if (!here || TEST.test(path)) continue
    for (const { from } of imports) {
      const there = nameOf(from)
      if (there && there !== here) next.set(here, (next.get(here) ?? new Set()).add(there))
    }
  }
  return cyclesOf(next)
}

function cyclesOf(next: Map<string, Set<string>>): string[] {
  const found = new Set<string>()
  const done = new Set<string>()
  const walk = (name: string, way: string[]): void => {
    const back = way.indexOf(name)
    if (back >= 0) return void found.add(way.slice(back).toSorted().join(' ↔ '))
    if (done.has(name)) return
    for (const further of next.get(name) ?? []) walk(further, [...way, name])
    done.add(name)
  }
  for (const name of next.keys()) walk(name, [])
  return [...found]
}

/** Slices that the contract doesn't have, each with the reason. */
const UNNAMED: Record<string, string> = {
  admin: 'a page that combines other slices',
  'my-account': 'a page that combines other slices',
  room: "a page that puts the owner's room and the vets' console under one address",
  shell: 'what surrounds every page',
  site: 'public pages of words',
}

/** Finds slices of the server or the web that the contract doesn't have. */
const notMirrored = (sources: Source[]) => {
  const known = new Set(sources.flatMap(({ path }) => /^contract\/([\w-]+)\.ts$/.exec(path)?.[1] ?? []))
  const slices = new Set(sources.flatMap(({ path }) => sliceOf(path) ?? WEB_SLICE.exec(path)?.[1] ?? []))
  return [...slices].filter((slice) => !known.has(slice) && !(slice in UNNAMED))
}

/** Parts that work without script, through a plain form or link. */
const WORKS_WITHOUT_SCRIPT = ['web/ui/button.tsx', 'web/ui/textarea.tsx']

/** Follows each public page's components down to its islands. */
function deadHandlers(sources: Source[]): string[] {
  const files = new Map(sources.map((source) => [source.path, source]))
  const seen = new Set<string>()
  const dead: string[] = []
  function follow(file: string, part: string) {
    const source = files.get(file)
    if (seen.has(`${file} ${part}`) || !source || file.endsWith('.island.tsx') || !file.startsWith('web/'))
      return
    seen.add(`${file} ${part}`)
    const { handlers = [], mentions = [] } = source.parts.get(part) ?? {}
    if (!WORKS_WITHOUT_SCRIPT.includes(file))
      for (const { attribute, line } of handlers) dead.push(`${file}:${line} ${attribute} of ${part}`)
    for (const name of mentions) {
      if (source.parts.has(name)) follow(file, name)
      for (const { from, names } of source.imports) if (names.has(name)) follow(from, names.get(name)!)
    }
  }
  follow('web/shell/shell.tsx', 'Shell')
  for (const { kind, page = 'shell/not-found.page.tsx' } of routes)
    if (kind === 'public') follow(`web/${page}`, 'default')
  return dead
}

/** Of the modules that routes take whole: exports that no other file names, and those that two modules share. */
function straysOfSlices(sources: Source[]): string[] {
  const words = new Map(sources.map(({ path, code }) => [path, new Set(code.match(/\w+/g))]))
  return sources
    .filter(({ path }) => /^server\/\w+\/([a-z]+-)?(routes|sockets)\.ts$/.test(path))
    .flatMap(({ imports }) => {
      const whole = imports.filter(({ names }) => [...names.values()].includes('namespaceobject'))
      const exported = sources
        .filter(({ path }) => path.startsWith('server/') && whole.some(({ from }) => from === path))
        .flatMap(({ path, code }) =>
          [...code.matchAll(/^export (?:const|(?:async )?function\*?) (\w+)/gm)].map(([, name]) => ({
            path,
            name: name!,
          })),
        )
      return exported
        .filter(
          ({ path, name }) =>
            exported.some((other) => other.name === name && other.path !== path) ||
            ![...words].some(([other, its]) => other !== path && its.has(name)),
        )
        .map(({ path, name }) => `${path} exports ${name}`)
    })
}

const rules: Rule[] = [
  {
    says: 'contract imports zod and itself',
    because: 'both sides agree in it, so what it imports is carried to both',
    broken: noImport(
      /^contract\//,
      (from) => from !== 'zod' && !from.startsWith('contract/'),
      (file) => TEST.test(file),
    ),
    planted: { 'contract/pets.ts': `import { users } from '#server/db/schema.ts'` },
  },
  {
    says: 'server never imports web',
    because: 'the two meet in the contract and in the built pages only',
    broken: noImport(/^server\//, (from) => from.startsWith('web/')),
    planted: { 'server/pets/reads.ts': `export { money } from '#web/lib/money.ts'` },
  },
  {
    says: 'web never imports server',
    because: 'server code would be built into a page',
    broken: noImport(/^web\//, (from) => from.startsWith('server/') || from.startsWith('node:')),
    planted: {
      'web/pets/pets.page.tsx': `const reads = await import('../../server/pets/reads.ts')`,
      'web/pets/queries.ts': `import { join } from 'node:path'`,
    },
  },
  {
    says: 'routes and sockets import the contract, serve and their own slice',
    because:
      'they map each call to the function that answers it; the work happens in reads, writes and rules',
    broken: noImport(
      /^server\/\w+\/([a-z]+-)?(routes|sockets)\.ts$/,
      (from, file) =>
        !from.startsWith('contract/') &&
        from !== 'server/http/serve.ts' &&
        (sliceOf(from) === undefined || sliceOf(from) !== sliceOf(file)),
    ),
    planted: {
      'server/pets/routes.ts': `import { endSessionsOf } from '../accounts/writes.ts'`,
      'server/chat/sockets.ts': `import { eq } from 'drizzle-orm'`,
    },
  },
  {
    says: 'each export of reads and writes is used, and has its name alone',
    because:
      'routes take modules whole: an unused export looks used, and of two with one name the last answers',
    broken: straysOfSlices,
    together: true,
    planted: {
      'contract/pets.ts': `export const listPets = call({})`,
      'server/pets/routes.ts': `import * as calls from '#contract/pets.ts'\nimport * as reads from './reads.ts'`,
      'server/pets/reads.ts': `export const listPets = () => []\nexport const petOf = () => null`,
    },
  },
  {
    says: 'only reads, writes, jobs, db and the server’s modules that own a table use SQL',
    because: 'a query or a lock is then always in one of three files of a slice',
    broken: noImport(
      /^(server|web|scripts)\//,
      (from) => TABLES.test(from),
      (file) => SPEAKS_SQL.test(file) || file in TABLE_WRITERS || TEST.test(file),
    ),
    planted: {
      'server/pets/rules.ts': `import { sql } from 'drizzle-orm'`,
      'server/http/serve.ts': `import { users } from '../db/schema.ts'`,
      'server/health/metrics.ts': `const pg = await import('pg')`,
    },
  },
  {
    says: 'a table is changed by the slice that owns it',
    because: 'another slice changes it by calling its writes, where the rule of the change stands',
    broken: changesElsewhere,
    planted: {
      'server/pets/writes.ts': `import { users as people, users } from '../db/schema.ts'\ndb.update(users).set({})`,
      'server/mail/outbox.ts': `import { sessions } from '../db/schema.ts'\nawait ctx.db.delete(sessions)`,
    },
  },
  {
    says: 'only providers import the SDKs of other machines',
    because: 'each stands behind a door that has a sandbox beside it',
    broken: noImport(
      /^(server|web)\//,
      (from) => VENDORS.test(from),
      (file) => file.startsWith('server/providers/'),
    ),
    planted: {
      'server/payments/writes.ts': `import Stripe from 'stripe'`,
      'server/pets/writes.ts': `import sharp from 'sharp'`,
    },
  },
  {
    says: 'only env.ts reads the environment',
    because: 'a wrong variable has to stop the start, and one file lists them all',
    broken: noUse(
      /^(contract|server|web)\//,
      /^process\.env/,
      (file, what) =>
        file === 'server/env.ts' ||
        TEST.test(file) ||
        (file === 'web/routes.ts' && what.replace('.NODE_ENV', '') === 'process.env'),
    ),
    planted: {
      'server/pets/writes.ts': `const url = process.env['SHOP_URL']`,
      'web/pets/pets.page.tsx': `const key = process.env.KEY`,
    },
  },
  {
    says: 'the server asks ctx.now for the time',
    because: 'tests and the sandbox move the clock; what reads the machine would stay behind',
    // These files create the clock.
    broken: noUse(
      /^server\//,
      /^(new Date\(\)|Date\.now\(\))$/,
      (file) => /^server\/(app|main|jobs\/moved-clock)\.ts$/.test(file) || TEST.test(file),
    ),
    planted: {
      'server/pets/writes.ts': `const at = new Date()`,
      'server/coupons/rules.ts': `const late = (end: Date) => end.getTime() < Date.now()`,
    },
  },
  {
    says: 'only queries and web/lib talk to the server',
    because: 'tokens, failures and retries are dealt with there, once',
    broken: (sources) => [
      ...noUse(
        /^web\//,
        /^(\w+\.)?fetch\(\)$|^new (XMLHttpRequest|EventSource|WebSocket)\(|\.sendBeacon\(\)$/,
        (file) => /^web\/(lib\/|[\w-]+\/queries\.ts$)/.test(file) || TEST.test(file),
      )(sources),
      ...noImport(
        /^web\//,
        (from) => from === 'socket.io-client',
        (file) => /^web\/(lib\/|[\w-]+\/queries\.ts$)/.test(file),
      )(sources),
    ],
    planted: {
      'web/pets/pets.page.tsx': `const pets = await fetch('/api/pets')`,
      'web/chat/room.tsx': `import { io } from 'socket.io-client'`,
    },
  },
  {
    says: 'pages read no schema of the contract',
    because: 'built pages carry none; web/lib/rules.ts says what a form looks at',
    broken: (sources) =>
      sources
        .filter(({ path }) => path.startsWith('web/') && !TEST.test(path))
        .flatMap(({ path, code, imports }) => {
          const names = imports.flatMap(({ from, names: of }) =>
            from.startsWith('contract/') ? [...of.keys()] : [],
          )
          const reads = new RegExp(`\\b(${names.join('|')})(\\.\\w+)?\\.(input|output|payload)\\b`)
          const zod = imports.some(({ from }) => /^zod(\/|$)/.test(from))
          return zod || (names.length > 0 && reads.test(code)) ? [`${path} reads a schema`] : []
        }),
    planted: {
      'web/pets/pet.tsx': `import { addPet } from '#contract/pets.ts'\nconst schema = addPet.input`,
      'web/pets/pets.tsx': `import * as calls from '#contract/pets.ts'\nconst schema = calls.addPet.input`,
      'web/lib/rules.ts': `import * as z from 'zod'`,
    },
  },
  {
    says: 'ui imports only ui',
    because: 'its parts could ship in another product',
    // Tests don't ship, and mount parts of pages as other tests do.
    broken: noImport(/^web\/ui\/(?!.*\.test\.)/, (from) => isOurs(from) && !from.startsWith('web/ui/')),
    planted: { 'web/ui/button.tsx': `import { useRegion } from '../lib/site.ts'` },
  },
  {
    says: 'lib imports no slice',
    because: 'every page stands on it',
    broken: noImport(/^web\/lib\//, (from) => WEB_SLICE.test(from)),
    planted: { 'web/lib/api.ts': `import { Header } from '../shell/header.tsx'` },
  },
  {
    says: 'a server slice is made of routes, sockets, reads, writes, rules, jobs, emails and tests',
    because: 'the name of the file says what is in it, in every slice alike',
    broken: onlyNames(
      SERVER_SLICE,
      /^server\/\w+\/(([a-z]+-)?(routes|sockets|reads|writes|rules|jobs|emails)|[\w-]+(\.race)?\.test)\.ts$|^server\/health\/metrics\.ts$/,
    ),
    planted: { 'server/pets/service.ts': '', 'server/pets/deep/reads.ts': '' },
  },
  {
    says: 'a web slice is made of pages, layouts, islands, components, queries and tests',
    because: 'the name of the file says what is in it, in every slice alike',
    broken: onlyNames(
      WEB_SLICE,
      /^web\/[\w-]+\/([a-z0-9-]+(\.(page|layout|island|test))?\.tsx|[a-z0-9-]+(\.test)?\.ts)$/,
    ),
    planted: { 'web/pets/Store.ts': '', 'web/pets/PetCard.tsx': '', 'web/pets/cards/card.tsx': '' },
  },
  {
    says: 'nothing is called utils, helpers, common, service or index',
    because: 'such a name says nothing, so everything ends up in it',
    broken: onlyNames(
      /(^|\/)(utils?|helpers?|common|shared|misc|services?|controllers?|repositor(y|ies)|index)(\/|\.)/,
      /^$/,
    ),
    planted: { 'web/lib/utils.ts': '', 'server/helpers/text.ts': '' },
  },
  {
    says: 'nothing is handed on whole',
    because: 'behind a barrel nobody sees who uses what',
    broken: (sources) =>
      sources.flatMap(({ path, code }) =>
        /^export \* from/m.test(code) ? [`${path} exports everything of another file`] : [],
      ),
    planted: { 'web/ui/form.tsx': `export * from './field.tsx'` },
  },
  {
    says: 'server slices import each other without a cycle',
    because: 'of two slices one must be readable without the other',
    broken: cycles(sliceOf),
    together: true,
    planted: {
      'server/pets/writes.ts': `import { a } from '../policies/writes.ts'`,
      'server/policies/writes.ts': `import { b } from '../clinics/reads.ts'`,
      'server/clinics/reads.ts': `import { c } from '../pets/reads.ts'`,
    },
  },
  {
    says: 'web slices import each other without a cycle',
    because: 'of two slices one must be readable without the other',
    broken: cycles((path) => WEB_SLICE.exec(path)?.[1]),
    together: true,
    planted: {
      'web/pets/pet-face.tsx': `import { a } from '../claims/queries.ts'`,
      'web/claims/queries.ts': `import type { B } from '../pets/pet-face.tsx'`,
    },
  },
  {
    says: 'files import each other without a cycle, types included',
    because: 'of two files one must be readable without the other',
    // Tables refer to each other in both directions.
    broken: cycles((path) => (isOurs(path) && !path.startsWith('server/db/schema/') ? path : undefined)),
    together: true,
    planted: {
      'web/pets/pet-face.tsx': `import type { A } from './pet-dialog.tsx'`,
      'web/pets/pet-dialog.tsx': `import { b } from './pet-face.tsx'`,
    },
  },
  {
    says: 'a slice has the same name in the contract, on the server and on the web',
    because: 'someone who knows one folder then finds their way in the others',
    broken: notMirrored,
    planted: { 'server/kennels/reads.ts': '', 'web/kennels/kennel.tsx': '' },
  },
  {
    says: 'a .tsx file holds JSX',
    because: 'logic alone is a .ts file',
    broken: (sources) =>
      sources.flatMap(({ path, jsx }) =>
        /^web\/[\w-]+\/(?!.*\.(test|page|island)\.tsx$).*\.tsx$/.test(path) && !jsx ? [path] : [],
      ),
    planted: { 'web/pets/pet-rules.tsx': `export const isPet = true` },
  },
  {
    says: 'public pages handle no event outside an island',
    because: 'they are not hydrated: such a handler is dead, without an error',
    broken: deadHandlers,
    together: true,
    planted: {
      'web/site/home.page.tsx': `import { Copy } from '../ui/copy.tsx'
        const Row = () => <Copy />
        export default function Home() { return <Row /> }`,
      'web/ui/copy.tsx': `export const Copy = () => <button onClick={() => {}}>Copy</button>`,
    },
  },
  {
    says: 'a style names a variable that the style sheet sets',
    because: 'the browser ignores the whole style otherwise, without an error',
    broken: (sources) =>
      sources.flatMap(({ path, code }) =>
        [...(path.startsWith('web/') ? code.matchAll(/(?:var|-)\((--[\w-]+)\)/g) : [])].flatMap(([, name]) =>
          STYLES.includes(`${name}:`) ? [] : [`${path} names ${name}`],
        ),
      ),
    planted: {
      'web/pets/row.tsx': `export const Row = () => <i className="border-(--line)" />`,
      'web/pets/face.tsx': `export const Face = () => <i className="shadow-[0_0_1px_var(--line)]" />`,
    },
  },
  {
    says: 'a lock that others wait for is none on the key',
    because: 'a row that refers to a person or consult takes a lock on its key, so two people would deadlock',
    broken: (sources) =>
      sources.flatMap(({ path, code }) =>
        path.startsWith('server/') && !path.endsWith('.test.ts') && /for\('update'(?!.*skipLocked)/.test(code)
          ? [path]
          : [],
      ),
    planted: {
      'server/pets/writes.ts': `await db.select().from(pets).for('update')`,
      'server/pets/reads.ts': `await db.select().from(pets).for('update', { of: pets })`,
    },
  },
  {
    says: 'the contract of a slice says in one line what the slice is about',
    because: 'a newcomer lists these lines to find a slice, as the README says',
    broken: (sources) =>
      sources.flatMap(({ path, code }) =>
        path.startsWith('contract/') && / = call\(/.test(code) && !/^\/\* [A-Z].* \*\/$/m.test(code)
          ? [path]
          : [],
      ),
    planted: { 'contract/pets.ts': `export const listPets = call('GET', '/pets', {})` },
  },
  {
    says: 'nothing is left to do in a comment',
    because: 'work that is not done is not kept in the code',
    broken: (sources) =>
      sources.flatMap(({ path, code }) =>
        [...code.matchAll(/\b(TO[D]O|FIX[M]E|HAC[K])\b/g)].map(([word]) => `${path} says ${word}`),
      ),
    planted: { 'server/pets/writes.ts': `// ${'TO'}DO: lock the row` },
  },
]

it('the architecture has files to check', () => {
  for (const floor of ['contract/', 'server/', 'web/', 'test/'])
    expect(project.filter(({ path }) => path.startsWith(floor)).length, floor).toBeGreaterThan(3)
  expect(owners.get('users')).toEqual(['accounts', 'profile', 'queue', 'vets'])
})

it('the list of decisions has them all', () => {
  const listed = readFileSync('docs/decisions/README.md', 'utf8').match(/[\w-]+\.md/g)!
  const kept = readdirSync('docs/decisions').filter((file) => file !== 'README.md')
  expect(listed.toSorted()).toEqual(kept.toSorted())
})

it.each(rules)('$says', ({ broken, because }) => {
  expect(broken(project), because).toEqual([])
})

it.each(rules)('a planted violation is caught: $says', ({ broken, planted, together }) => {
  const files = Object.entries(planted).map(([path, code]) => sourceOf(path, code))
  for (const caught of together ? [files] : files.map((file) => [file]))
    expect(broken(caught), caught[0]!.path).not.toEqual([])
})
