import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Page } from 'playwright'

/** Besides Playwright's own. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  // A slow camera, which still shows a moving picture. With 20 pictures a second a call takes half as much processor
  // time again.
  '--use-fake-device-for-media-stream=fps=5',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
]

/** Finds a Chromium: the one in CHROMIUM_PATH, the machine's, or Playwright's. */
export const findChromium = () =>
  firstProgram(process.env.CHROMIUM_PATH) ??
  onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  firstProgram(chromium.executablePath())

/** Chromium without windows: its pages need a sixth of the processor time. */
export const findShell = () => firstProgram(process.env.CHROMIUM_PATH) ?? onPath('chromium-headless-shell')

export const launchOptions = (executablePath = findChromium()) => ({ executablePath, args: FLAGS })

export const openBrowser = () => chromium.launch(launchOptions())
/** With a camera as fast as a phone's, for calls that are measured. */
export const openBrowserWithFastCamera = () =>
  chromium.launch({ ...launchOptions(), args: [...FLAGS, '--use-fake-device-for-media-stream=fps=20'] })
/**
 * For pages without camera and notifications, which the shell treats in its own way. The pages of one device share a
 * process. Otherwise each page begins in a process that its first address throws away.
 */
export const openShell = () =>
  chromium.launch({ ...launchOptions(findShell()), args: [...FLAGS, '--renderer-process-limit=1'] })

/** Collects a page's failures from now on: logged errors, exceptions, and requests that fail. */
export function watch(page: Page) {
  const troubles: string[] = []
  page.on('console', (message) => {
    // Offline, the service worker's script may fail to load; the next page that opens loads it.
    if (message.type() === 'error' && !message.text().includes('when fetching the script'))
      troubles.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => troubles.push(`thrown: ${error.stack ?? error.message}`))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // Leaving a page aborts what it was still loading.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`failed: ${request.method()} ${request.url()} ${reason}`)
  })
  return troubles
}

const onPath = (...names: string[]) =>
  firstProgram(
    ...names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))),
  )
const firstProgram = (...paths: (string | undefined)[]) => paths.find((path) => path && isExecutable(path))

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
