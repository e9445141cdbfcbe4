const STEPS = [1, 2, 5]

/** Round numbers from `low` to at least `most`, two to five of them. */
export function ticksFor(low: number, most: number): number[] {
  const high = Math.max(most, low + 1)
  const span = high - low
  let step = 1
  for (let power = 1, at = 0; span / step > 4; at++) {
    if (at === STEPS.length) [power, at] = [power * 10, 0]
    step = STEPS[at]! * power
  }
  const first = Math.floor(low / step) * step
  return Array.from({ length: Math.ceil((high - first) / step - 1e-9) + 1 }, (_, at) => first + at * step)
}

/** Every nth label is shown, so that they fit. */
export const everyNth = (count: number, room: number, label: number) =>
  Math.max(1, Math.ceil((count * label) / Math.max(room, 1)))
