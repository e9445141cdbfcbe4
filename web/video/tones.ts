import { playTones } from '../ui/tones.ts'

/** The sound of a ring, which the check also plays to test the sound. */
export const playRing = () =>
  playTones(
    [
      [660, 0],
      [880, 0.28],
    ],
    { volume: 0.2, seconds: 0.5 },
  )
