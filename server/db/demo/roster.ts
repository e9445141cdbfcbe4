import { BANDS } from '#contract/roster.ts'
import { type PersonName } from './people.ts'

/** The vets on the roster of fourteen days from yesterday on. Some places are open, and one shift is offered. */
const VETS = ['vet', 'karabo', 'busi', 'naledi', 'mandla', 'lize', 'ayesha', 'vet2'] satisfies PersonName[]
type Vet = (typeof VETS)[number]

/** Seven days. The second week is the same, except for what isn't planned yet. */
const WEEK: readonly (readonly [day: readonly Vet[], evening: readonly Vet[], night: readonly Vet[]])[] = [
  [['vet', 'karabo'], ['busi', 'naledi'], ['mandla']],
  [['vet', 'karabo'], ['busi', 'naledi'], ['mandla']],
  [['vet', 'lize'], ['busi', 'ayesha'], ['mandla']],
  [['vet', 'lize'], ['naledi', 'ayesha'], ['vet2']],
  [['karabo', 'lize'], ['naledi', 'ayesha'], ['vet2']],
  [['karabo', 'lize'], ['busi'], ['vet2']],
  [['vet', 'karabo'], ['busi', 'ayesha'], ['mandla']],
]
const OPEN_IN_SECOND_WEEK = [3, 5]

export const SHIFTS = WEEK.concat(WEEK).flatMap((bands, day) =>
  bands.flatMap((vets, band) =>
    day >= WEEK.length && OPEN_IN_SECOND_WEEK.includes(day % WEEK.length) && band === 2
      ? []
      : vets.map((vet) => ({
          vet,
          day,
          from: BANDS.za[band]!.from,
          to: BANDS.za[band]!.to,
          offered: day === 2 && band === 1 && vet === 'busi',
        })),
  ),
)
