import { sentence, type Sentence } from '../ui/say.ts'

interface Guide {
  title: Sentence
  steps: Sentence[]
}

const CHROME_ANDROID: Guide = {
  title: sentence('Allow it in Chrome on Android'),
  steps: [
    sentence('Tap the icon beside the web address.'),
    sentence('Tap Permissions, then Camera and Microphone.'),
    sentence('Choose Allow, then come back here.'),
  ],
}
const SAMSUNG: Guide = {
  title: sentence('Allow it in Samsung Internet'),
  steps: [
    sentence('Tap the lock beside the web address.'),
    sentence('Tap Permissions, and allow camera and microphone.'),
    sentence('Come back here and try again.'),
  ],
}
const SAFARI_PHONE: Guide = {
  title: sentence('Allow it on your iPhone or iPad'),
  steps: [
    sentence('Open Settings, then Apps, then Safari.'),
    sentence('Tap Camera, then Microphone, and choose Ask or Allow.'),
    sentence('Come back here and try again.'),
  ],
}
const OTHER_ON_IPHONE: Guide = {
  title: sentence('Allow it on your iPhone or iPad'),
  steps: [
    sentence('Open Settings, then Apps, then this browser.'),
    sentence('Turn on Camera and Microphone.'),
    sentence('Come back here and try again.'),
  ],
}
const FIREFOX_ANDROID: Guide = {
  title: sentence('Allow it in Firefox'),
  steps: [
    sentence('Tap the icon beside the web address.'),
    sentence('Tap Camera and Microphone until they say Allowed.'),
    sentence('Come back here and try again.'),
  ],
}
const SYSTEM: Guide = {
  title: sentence('Allow it on your device'),
  steps: [
    sentence('Open your device’s settings, then Privacy.'),
    sentence('Turn on Camera and Microphone for this browser.'),
    sentence('Close this browser, open it again and come back here.'),
  ],
}
const SAFARI: Guide = {
  title: sentence('Allow it in Safari'),
  steps: [
    sentence('Click Safari in the menu bar, then Settings for this website.'),
    sentence('Set Camera and Microphone to Allow.'),
    sentence('Come back here and try again.'),
  ],
}
const FIREFOX: Guide = {
  title: sentence('Allow it in Firefox'),
  steps: [
    sentence('Click the crossed-out camera beside the web address.'),
    sentence('Remove the block on camera and microphone.'),
    sentence('Try again, and choose Allow.'),
  ],
}
const CHROME: Guide = {
  title: sentence('Allow it in your browser'),
  steps: [
    sentence('Click the icon beside the web address.'),
    sentence('Turn on Camera and Microphone.'),
    sentence('Come back here and try again.'),
  ],
}

/** Where this browser, or the device, has its permission. */
export function guideFor(agent: string, touches: boolean, trouble: 'refused' | 'system' = 'refused'): Guide {
  if (/(CriOS|FxiOS|EdgiOS)/.test(agent)) return OTHER_ON_IPHONE
  if (trouble === 'system') return SYSTEM
  if (/SamsungBrowser/.test(agent)) return SAMSUNG
  if (/Firefox/.test(agent)) return /Android/.test(agent) ? FIREFOX_ANDROID : FIREFOX
  if (/iPhone|iPad/.test(agent) || (/Macintosh/.test(agent) && touches)) return SAFARI_PHONE
  if (/Android/.test(agent)) return CHROME_ANDROID
  return /Safari/.test(agent) && !/Chrome|Chromium|Edg/.test(agent) ? SAFARI : CHROME
}
