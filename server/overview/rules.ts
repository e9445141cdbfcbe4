/** How many consults of an hour of the day waited this long. */
export interface Waits {
  hour: number
  seconds: number
  waits: number
}

const sum = (rows: Waits[]) => rows.reduce((total, { waits }) => total + waits, 0)

/** How many minutes this share of them waited at most, between two waits in proportion. */
export function minutesOfShare(rows: Waits[], share: number): number {
  const sorted = rows.toSorted((one, other) => one.seconds - other.seconds)
  const place = (sum(rows) - 1) * share
  const secondsAt = (place: number) => {
    let passed = 0
    return sorted.find(({ waits }) => (passed += waits) > place)!.seconds
  }
  const [below, above] = [secondsAt(Math.floor(place)), secondsAt(Math.ceil(place))]
  return (below + (above - below) * (place % 1)) / 60
}

/** The hours of the day in which somebody waited. */
export const hoursOf = (rows: Waits[]) =>
  [...Map.groupBy(rows, ({ hour }) => hour)]
    .map(([hour, of]) => ({
      hour,
      waits: sum(of),
      median: minutesOfShare(of, 0.5),
      nine_of_ten: minutesOfShare(of, 0.9),
    }))
    .toSorted((one, other) => one.hour - other.hour)
