import { StrictMode, useSyncExternalStore } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { sampleSite } from '../test/mount.tsx'
import { usePageAddress } from '../lib/page-address.tsx'
import { TextField } from '../ui/text-field.tsx'
import { SellingFrame } from './selling-frame.tsx'
import { HydratedPage } from './hydrated-page.tsx'

const given = { site: sampleSite, asked: `${location.origin}/subscribe/intro-20?plan=monthly` }

let leave = () => {}
afterEach(() => leave())
function place(html = '') {
  const root = document.body.appendChild(document.createElement('div'))
  root.innerHTML = html
  return root
}

const never = () => () => {}
function Sells() {
  const { pathname, searchParams } = usePageAddress()
  const state = useSyncExternalStore(
    never,
    () => 'awake',
    () => 'asleep',
  )
  return <TextField label={`${pathname} ${searchParams.get('plan')}`} help={state} />
}

it('a page hydrates as it was rendered, at the requested address', async () => {
  const whole = (
    <HydratedPage {...given} frame={SellingFrame}>
      <Sells />
    </HydratedPage>
  )
  history.replaceState(null, '', given.asked)
  const root = place(renderToString(whole))
  const field = page.getByLabelText('/subscribe/intro-20 monthly')
  await field.fill('typed early')
  const found = field.element()
  const unlike: unknown[] = []
  const react = hydrateRoot(root, <StrictMode>{whole}</StrictMode>, {
    onRecoverableError: (error) => unlike.push(error),
  })
  leave = () => {
    react.unmount()
    root.remove()
  }
  await expect.element(field).toHaveAccessibleDescription('awake')
  expect(field.element()).toBe(found)
  expect(field.element()).toHaveValue('typed early')
  expect(unlike).toEqual([])
})

it('a page that fails keeps its header and footer and says what to do', async () => {
  const Fails = () => {
    throw new Error('No such luck')
  }
  const root = place()
  const react = createRoot(root, { onCaughtError: () => {} })
  react.render(
    <HydratedPage {...given} frame={SellingFrame}>
      <Fails />
    </HydratedPage>,
  )
  leave = () => {
    react.unmount()
    root.remove()
  }
  await expect.element(page.getByRole('heading', { name: 'An Error Occurred' })).toBeVisible()
  await expect.element(page.getByRole('banner')).toBeVisible()
})
