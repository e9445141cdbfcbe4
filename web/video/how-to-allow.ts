import { sentence, type Sentence } from '../ui/say.ts'

const guide = (title: Sentence, ...steps: Sentence[]) => ({ title, steps })

const AGAIN = sentence('Come back here and try again.')

const CHROME_ANDROID = guide(
  sentence('Allow it in Chrome on Android'),
  sentence('Tap the icon beside the web address.'),
  sentence('Tap Permissions, then Camera and Microphone.'),
  sentence('Choose Allow, then come back here.'),
)
const SAMSUNG = guide(
  sentence('Allow it in Samsung Internet'),
  sentence('Tap the lock beside the web address.'),
  sentence('Tap Permissions, and allow camera and microphone.'),
  AGAIN,
)
const SAFARI_PHONE = guide(
  sentence('Allow it on your iPhone or iPad'),
  sentence('Open Settings, then Apps, then Safari.'),
  sentence('Tap Camera, then Microphone, and choose Ask or Allow.'),
  AGAIN,
)
const OTHER_ON_IPHONE = guide(
  sentence('Allow it on your iPhone or iPad'),
  sentence('Open Settings, then Apps, then this browser.'),
  sentence('Turn on Camera and Microphone.'),
  AGAIN,
)
const FIREFOX_ANDROID = guide(
  sentence('Allow it in Firefox'),
  sentence('Tap the icon beside the web address.'),
  sentence('Tap Camera and Microphone until they say Allowed.'),
  AGAIN,
)
const SYSTEM = guide(
  sentence('Allow it on your device'),
  sentence('Open your device’s settings, then Privacy.'),
  sentence('Turn on Camera and Microphone for this browser.'),
  sentence('Close this browser, open it again and come back here.'),
)
const SAFARI = guide(
  sentence('Allow it in Safari'),
  sentence('Click Safari in the menu bar, then Settings for this website.'),
  sentence('Set Camera and Microphone to Allow.'),
  AGAIN,
)
const FIREFOX = guide(
  sentence('Allow it in Firefox'),
  sentence('Click the crossed-out camera beside the web address.'),
  sentence('Remove the block on camera and microphone.'),
  sentence('Try again, and choose Allow.'),
)
const CHROME = guide(
  sentence('Allow it in your browser'),
  sentence('Click the icon beside the web address.'),
  sentence('Turn on Camera and Microphone.'),
  AGAIN,
)

/** Where this browser, or the device, has its permission. */
export function guideFor(agent: string, touches: boolean, trouble: 'refused' | 'system' = 'refused') {
  if (/(CriOS|FxiOS|EdgiOS)/.test(agent)) return OTHER_ON_IPHONE
  if (trouble === 'system') return SYSTEM
  if (/SamsungBrowser/.test(agent)) return SAMSUNG
  if (/Firefox/.test(agent)) return /Android/.test(agent) ? FIREFOX_ANDROID : FIREFOX
  if (/iPhone|iPad/.test(agent) || (/Macintosh/.test(agent) && touches)) return SAFARI_PHONE
  if (/Android/.test(agent)) return CHROME_ANDROID
  return /Safari/.test(agent) && !/Chrome|Chromium|Edg/.test(agent) ? SAFARI : CHROME
}
