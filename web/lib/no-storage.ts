import { sentence } from '../ui/say.ts'
import { tryStorage } from './session.ts'

export const NO_STORAGE = sentence(
  'This browser can’t store anything. Free some space on your device or allow cookies and try again, or open VetChat in another browser.',
)

/** Whether this browser can store a session at all. It may be blocked, or the device full. */
export const canStore = () =>
  tryStorage(() => {
    localStorage.setItem('vetchat test', '')
    localStorage.removeItem('vetchat test')
    return true
  }, false)
