import { sentence } from '../ui/say.ts'

export const NO_STORAGE = sentence(
  'This browser can’t store anything. Free some space on your device or allow cookies and try again, or open VetChat in another browser.',
)
