import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { MemoryRouter, matchRoutes } from 'react-router'
import { expect, it } from 'vitest'
import { routes } from '../routes.ts'
import { safePath } from './safe-path.ts'
import { loadsDocument, rowOf } from './page-rows.ts'
import { Link } from './link.tsx'

const addressOf = (path: string) =>
  path === '*' ? '/nowhere' : path.replace(/\/\*$/, '').replace(/:\w+\??/g, '7')

const pages = [
  ...new Map(
    routes.map(({ path }) => [JSON.stringify({ ...rowOf(addressOf(path)), path: '' }), addressOf(path)]),
  ).values(),
]

/** Presses a link and returns whether the router handled it; otherwise the browser loads a document. */
function followedByRouter(from: string, to: string) {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  flushSync(() =>
    root.render(
      <MemoryRouter initialEntries={[from]}>
        <Link href={to}>there</Link>
      </MemoryRouter>,
    ),
  )
  let followed = false
  const look = (event: Event) => {
    followed = event.defaultPrevented
    event.preventDefault()
  }
  addEventListener('click', look, { once: true })
  flushSync(() => place.querySelector('a')!.click())
  root.unmount()
  place.remove()
  return followed
}

it('there are pages of every kind', () => {
  expect(pages.length).toBeGreaterThan(1)
  expect(new Set(routes.map(({ kind }) => kind))).toEqual(
    new Set(['public', 'paying', 'admin', 'account', 'room', 'clinic']),
  )
})

it.each(pages)('from %s a new document is loaded for every page whose headers would differ', (from) => {
  const here = rowOf(from)
  for (const to of pages) {
    const there = rowOf(to)
    const ours = here.kind !== 'public' && !there.alone
    const same = ours && here.kind === there.kind && here.opens === there.opens
    expect([followedByRouter(from, to), loadsDocument(from, to)], to).toEqual([same, !same])
  }
})

it('an address matches the same route here as in the router', () => {
  const addresses = routes.flatMap(({ path }) => {
    const filled = addressOf(path)
    const plain = path.replace(/\/?(:\w+\?|\*)$/, '') || '/'
    return [
      filled,
      plain,
      `${filled}/`,
      `${filled}/more`,
      `${filled}/more/still`,
      `${filled}x`,
      filled.toUpperCase(),
    ]
  })
  for (const address of addresses) {
    const found = matchRoutes(
      routes.map(({ path }) => ({ path })),
      address,
    )?.at(-1)?.route.path
    expect(rowOf(address).path, address).toBe(found)
  }
})

it('links to anything but our pages are left to the browser', () => {
  for (const href of ['https://elsewhere.example/login', 'mailto:a@b.example', '#main', ''])
    expect(followedByRouter('/login', href)).toBe(false)
})

it('[LOG-3] signing in leads back only to a path in our own route table', () => {
  const origin = 'https://vetchat.example'
  for (const path of ['/myaccount', '/text-chat/7?x=1#end', '/']) expect(safePath(path, origin)).toBe(path)
  for (const path of [
    'https://elsewhere.example/myaccount',
    '//elsewhere.example/myaccount',
    '/\\elsewhere.example/myaccount',
    'javascript:alert(1)',
    '/nowhere',
    '/api/user/me',
    '/login?from=/login',
    '/logout',
    '/signoff',
    '',
    null,
  ])
    expect(safePath(path, origin), String(path)).toBeUndefined()
})
