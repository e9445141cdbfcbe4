import { playTones } from '../ui/tones.ts'

/** How a call rings, and how the check finds out whether it's heard. */
export const playRing = () =>
  playTones(
    [
      [660, 0],
      [880, 0.28],
    ],
    { volume: 0.2, seconds: 0.5 },
  )
