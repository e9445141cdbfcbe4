/** One measured job and its floor, from the same run. */
export interface Row {
  job: string
  unit: string
  figure: number
  floor?: number
  /** The figure divided by the floor. */
  ratio?: number
  goal: string
  met: boolean | null
}

type Measured = Pick<Row, 'job' | 'unit' | 'figure' | 'floor'>

/** The goal is for the ratio if there is a floor, and for the figure otherwise. */
function judged(measured: Measured, goal: string, isMet: (value: number) => boolean): Row {
  const { unit, figure, floor } = measured
  if (floor === undefined) return { ...measured, goal: `${goal} ${unit}`.trim(), met: isMet(figure) }
  const ratio = figure / floor
  return { ...measured, ratio, goal, met: isMet(ratio) }
}
export const atMost = (most: number, measured: Measured) =>
  judged(measured, `at most ${most}`, (value) => value <= most)
export const atLeast = (least: number, measured: Measured) =>
  judged(measured, `at least ${least}`, (value) => value >= least)
export const withoutGoal = (measured: Measured): Row => ({ ...measured, goal: '–', met: null })
