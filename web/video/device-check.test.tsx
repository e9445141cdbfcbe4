import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { DeviceCheck } from './device-check.tsx'
import { guideFor } from './how-to-allow.ts'

vi.mock('./network-check.ts', () => ({ checkNetwork: async () => 'video' }))

const { mediaDevices } = navigator
const real = mediaDevices.getUserMedia.bind(mediaDevices)

function show(tells = false) {
  const did = { onText: vi.fn(), onContinue: vi.fn(), onComes: vi.fn() }
  mount(<DeviceCheck onClose={() => {}} tells={tells} {...did} />)
  return did
}

/** Each requested kind fails with this error, if one is given. */
function devices({ video, audio, message = '' }: { video?: string; audio?: string; message?: string }) {
  vi.spyOn(mediaDevices, 'getUserMedia').mockImplementation(async (wanted) => {
    const name = (wanted?.video && video) || (wanted?.audio && audio)
    if (name) throw new DOMException(message, name)
    return real(wanted)
  })
}
const turnOn = () => page.getByRole('button', { name: 'Turn on camera' }).click()
const text = () => page.getByRole('button', { name: 'Use text instead' })
const sound = () => page.getByRole('button', { name: 'Continue with sound only' })
const says = (words: string) => expect.element(page.getByText(words)).toBeVisible()

it('a check that finds something wrong says what to do and offers text when permission was refused earlier, so that the browser no longer asks [BUY-3] [CON-5]', async () => {
  devices({ video: 'NotAllowedError', audio: 'NotAllowedError' })
  vi.spyOn(navigator.permissions, 'query').mockResolvedValue({ state: 'denied' } as PermissionStatus)
  show(true)
  await says('Click the icon beside the web address.')
  expect(page.getByRole('button', { name: 'Turn on camera' }).query()).toBeNull()
})

it.each([
  [
    'the device refuses permission, and not the browser',
    { video: 'NotAllowedError', audio: 'NotAllowedError', message: 'Permission denied by system' },
    'Your device doesn’t allow the camera yet',
    'Turn on Camera and Microphone for this browser.',
  ],
  [
    'there are no devices at all',
    { video: 'NotFoundError', audio: 'NotFoundError' },
    'We couldn’t find a camera or a microphone',
    'Connect them and try again, or use text: the vet can see photos there.',
  ],
  ['there is a camera but no microphone', { audio: 'NotFoundError' }, 'We couldn’t start a microphone', ''],
])(
  'a check that finds something wrong says what to do and offers text when %s [BUY-3] [CON-5]',
  async (_what, wrong, title, advice) => {
    devices(wrong)
    show()
    await turnOn()
    await says(title)
    if (advice) await says(advice)
    await expect.element(text()).toBeVisible()
    expect(sound().query()).toBeNull()
  },
)

it('a check that finds something wrong says what to do and offers text when another program uses the camera, which is free at the second try [BUY-3] [CON-5]', async () => {
  devices({ video: 'NotReadableError' })
  const { onContinue } = show()
  await turnOn()
  await says('The camera won’t start')
  await says('Another app may be using it. Close that app and try again.')
  await expect.element(text()).toBeVisible()
  await expect.element(sound()).toBeVisible()
  devices({})
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toHaveFocus()
  await again.click()
  const next = page.getByRole('button', { name: 'Continue with video' })
  await expect.element(next).toHaveFocus()
  await next.click()
  const [{ soundOnly, stream }] = onContinue.mock.calls[0]!
  expect(soundOnly).toBe(false)
  expect(stream.getVideoTracks()).toHaveLength(1)
  for (const track of stream.getTracks()) track.stop()
})

it('a check that finds something wrong says what to do and offers text when only the microphone was refused [BUY-3] [CON-5]', async () => {
  devices({ audio: 'NotAllowedError' })
  vi.spyOn(navigator.permissions, 'query').mockImplementation(
    async ({ name }) => ({ state: name === ('camera' as string) ? 'granted' : 'denied' }) as PermissionStatus,
  )
  show()
  await turnOn()
  await says('Microphone is not allowed yet')
  await says('Turn on Camera and Microphone.')
  expect(sound().query()).toBeNull()
})

it('a check that finds something wrong says what to do and offers text when the camera is unplugged after it was found [BUY-3] [CON-5]', async () => {
  const opened: MediaStream[] = []
  vi.spyOn(mediaDevices, 'getUserMedia').mockImplementation(async (wanted) => {
    opened.push(await real(wanted))
    return opened.at(-1)!
  })
  show()
  await turnOn()
  await says('Camera works')
  devices({ video: 'NotFoundError' })
  opened[0]!.getVideoTracks()[0]!.dispatchEvent(new Event('ended'))
  await says('We couldn’t find a camera')
  await expect.element(sound()).toBeVisible()
  expect(page.getByText('Camera works').query()).toBeNull()
})

it('a check that finds something wrong says what to do and offers text when the browser has no media devices [BUY-3] [CON-5]', async () => {
  vi.spyOn(navigator, 'mediaDevices', 'get').mockReturnValue(undefined as never)
  show()
  await turnOn()
  await says('We couldn’t find a camera or a microphone')
  await expect.element(text()).toBeVisible()
})

it('the microphone that was chosen is used in the check and in the call [BUY-3]', async () => {
  const asked = vi.spyOn(mediaDevices, 'getUserMedia')
  const { onContinue } = show()
  await turnOn()
  await page.getByRole('button', { name: 'Change microphone' }).click()
  const list = page.getByRole('combobox', { name: 'Microphone' })
  await expect.element(list).toBeVisible()
  const other = [...(list.element() as HTMLSelectElement).options].at(-1)!
  await list.selectOptions(other.value)
  await expect.poll(() => asked.mock.lastCall![0]!.audio).toMatchObject({ deviceId: { exact: other.value } })
  await page.getByRole('button', { name: 'Continue with video' }).click()
  const [{ microphone, stream }] = onContinue.mock.calls[0]!
  expect(microphone).toBe(other.value)
  expect(stream.getAudioTracks()[0].getSettings().deviceId).toBe(other.value)
  for (const track of stream.getTracks()) track.stop()
})

it('a ring is answered as soon as the camera is turned on [CON-5]', async () => {
  const { onComes } = show()
  await turnOn()
  expect(onComes).toHaveBeenCalledOnce()
})

const ON_IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ON_ANDROID = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko)'
const ON_MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
it.each([
  [`${ON_IPHONE} Version/18.0 Mobile/15E148 Safari/604.1`, 'your iPhone', /then Safari\.$/],
  [`${ON_IPHONE} CriOS/131.0 Mobile/15E148 Safari/604.1`, 'your iPhone', /then this browser\.$/],
  [`${ON_ANDROID} Chrome/131.0 Mobile Safari/537.36`, 'Chrome on Android', /^Tap the icon/],
  [
    `${ON_ANDROID} SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
    'Samsung Internet',
    /^Tap the lock/,
  ],
  ['Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', 'Firefox', /^Tap the icon/],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    'Firefox',
    /^Click the crossed-out/,
  ],
  [`${ON_MAC} Version/18.0 Safari/605.1.15`, 'Safari', /menu bar/],
  [`${ON_MAC} Chrome/131.0 Safari/537.36 Edg/131.0`, 'your browser', /^Click the icon/],
])('the check says in %s where to find its permission [BUY-3]', (agent, where, first) => {
  const { title, steps } = guideFor(agent, false)
  expect(String(title)).toContain(where)
  expect(String(steps[0])).toMatch(first)
})
