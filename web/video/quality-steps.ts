/**
 * How much a page sends. It starts low, goes down quickly when the network is bad, and up slowly. Sound matters most:
 * it stays when the picture is dropped.
 */
export const STEPS = ['sound', 'small', 'video', 'full'] as const
export type Step = (typeof STEPS)[number]

/** The smallest picture and the sound together fit into 150 kbit/s. */
export const PICTURES: Record<Step, { height: number; framerate: number; kbps: number } | null> = {
  sound: null,
  small: { height: 240, framerate: 12, kbps: 90 },
  video: { height: 480, framerate: 20, kbps: 450 },
  full: { height: 720, framerate: 24, kbps: 1300 },
}
export const SOUND_KBPS = 24

/** What two seconds of the call were like for the receiving side. */
export interface Sample {
  /** The share of packets that were lost, from 0 to 1. */
  loss: number
  /** Round trip in milliseconds. */
  rtt: number
  /** How long the picture was frozen, in milliseconds. */
  frozen: number
  /** The browser estimates less than half of what this step needs. */
  starved: boolean
}

const FIRST_PATIENCE = 4
const LAST_PATIENCE = 32
/** Bad samples in a row after which sound alone counts as not getting through. */
const HOPELESS_AFTER = 6

export type Ladder = ReturnType<typeof begin>
export const begin = (step: Step) => ({
  step,
  /** Samples in a row. */
  bad: 0,
  good: 0,
  /** How many good samples it takes to go up. A rise that doesn't last doubles this; one bad spell doesn't. */
  patience: FIRST_PATIENCE,
  /** Whether the last change was up. */
  rose: false,
  /** Whether it has fallen, rather than just begun low. */
  slow: false,
  /** Not even sound gets through, so text is better. */
  hopeless: false,
})

const isAwful = ({ loss, frozen }: Sample) => loss > 0.2 || frozen > 1500
const isBad = (sample: Sample) =>
  isAwful(sample) || sample.loss > 0.08 || sample.rtt > 1000 || sample.frozen > 500 || sample.starved
const isGood = ({ loss, rtt, frozen, starved }: Sample) =>
  loss < 0.03 && rtt < 500 && frozen === 0 && !starved

const moved = (step: Step, by: 1 | -1) => STEPS[STEPS.indexOf(step) + by] ?? step
const lower = (one: Step, other: Step) => (STEPS.indexOf(one) < STEPS.indexOf(other) ? one : other)

/** The next step. `most` is what the person, or the other side, wants at most. */
export function climb(ladder: Ladder, sample: Sample, most: Step): Ladder {
  const allowed = lower(ladder.step, most)
  const stays = { ...ladder, step: allowed, bad: 0, good: 0, hopeless: false }
  if (isBad(sample)) {
    const bad = ladder.bad + 1
    // One bad sample may pass, but an awful one counts straight away.
    if (allowed === 'sound' || (bad < 2 && !isAwful(sample)))
      return { ...stays, bad, hopeless: allowed === 'sound' && bad >= HOPELESS_AFTER }
    const patience = ladder.rose ? Math.min(ladder.patience * 2, LAST_PATIENCE) : ladder.patience
    return { ...stays, step: moved(allowed, -1), patience, rose: false, slow: true }
  }
  if (!isGood(sample)) return stays
  const good = ladder.good + 1
  if (good < ladder.patience || allowed === most) return { ...stays, good }
  return { ...stays, step: moved(allowed, 1), rose: true }
}
