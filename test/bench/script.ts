import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Request } from 'playwright'
import { openBrowser } from '#test/browser.ts'
import { remembered, tokenOf } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import type { Row } from './row.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const PAGES = ['/login', '/forgotpassword', '/resetpwd', '/myaccount']
const BARE = {
  'react-router.config.ts': `export default { appDirectory: 'web' }`,
  'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite'
    export default { plugins: [reactRouter()], build: { modulePreload: { polyfill: false } } }`,
  'web/root.tsx': `import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
    export default () => (
      <html lang="en"><head><Meta /><Links /></head><body><Outlet /><ScrollRestoration /><Scripts /></body></html>
    )`,
  'web/routes.ts': `export default [{ id: 'home', file: 'home.tsx', index: true }]`,
  'web/home.tsx': `export default () => <h1>Home</h1>`,
  'web/entry.server.tsx': `import { renderToString } from 'react-dom/server'
    import { ServerRouter } from 'react-router'
    export default (request, status, headers, context) =>
      new Response(renderToString(<ServerRouter context={context} url={request.url} />), { status, headers })`,
  'package.json': JSON.stringify({
    type: 'module',
    dependencies: {
      'react-router': '*',
      '@react-router/node': '*',
      react: '*',
      'react-dom': '*',
      isbot: '*',
    },
  }),
}

/** Brotli bytes of the smallest possible page with React and the router, built with the same tools. */
function bareScript() {
  const folder = path.join(ROOT, '.cache/bare')
  rmSync(folder, { recursive: true, force: true })
  for (const [name, text] of Object.entries(BARE)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const { status, stderr } = spawnSync(path.join(ROOT, 'node_modules/.bin/react-router'), ['build'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The bare page is not built:\n${stderr}`)
  const files = globSync('build/client/assets/*.js', { cwd: folder })
  return files.reduce(
    (sum, file) => sum + brotliCompressSync(readFileSync(path.join(folder, file))).length,
    0,
  )
}

/** Brotli bytes of a first visit: script alone, and everything. */
export async function carried(browser: Browser, address: string, options: BrowserContextOptions = {}) {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, ...options })
  const done: Request[] = []
  page.on('requestfinished', (request) => void done.push(request))
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  const weight = { script: 0, all: 0 }
  for (const request of done) {
    const { responseBodySize } = await request.sizes()
    weight.all += responseBodySize / 1000
    if (request.resourceType() === 'script') weight.script += responseBodySize / 1000
  }
  await page.close()
  return weight
}

/** The bytes of a first visit to a page that runs React. The job `pages` has the pages that don't. */
export default async function script(): Promise<Row[]> {
  const bare = bareScript() / 1000
  await using product = await startProduct()
  await using browser = await openBrowser()
  const rows: Row[] = []
  for (const address of PAGES) {
    const token = address.startsWith('/myaccount') ? await tokenOf('owner', product.url) : undefined
    const device = token === undefined ? {} : { storageState: remembered(product.url, token) }
    const { script } = await carried(browser, product.url + address, device)
    rows.push({
      job: `script of ${address}, beside React and the router alone`,
      unit: 'kB',
      figure: script,
      floor: bare,
      ratio: script / bare,
      goal: 'at most 60 kB more',
      met: script - bare <= 60,
    })
  }
  return rows
}
