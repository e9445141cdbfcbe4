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

/** Where this browser keeps its permission. */
export function guideFor(agent: string, touches: boolean): Guide {
  if (/SamsungBrowser/.test(agent)) return SAMSUNG
  if (/Firefox/.test(agent)) return FIREFOX
  if (/iPhone|iPad/.test(agent) || (/Macintosh/.test(agent) && touches)) return SAFARI_PHONE
  if (/Android/.test(agent)) return CHROME_ANDROID
  return /Safari/.test(agent) && !/Chrome|Chromium|Edg/.test(agent) ? SAFARI : CHROME
}
