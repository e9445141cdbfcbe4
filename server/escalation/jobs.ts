import type { Job } from '../jobs/clock.ts'
import { restingRows, rowByRow } from '../jobs/retry-by-row.ts'
import { dueEscalations } from './reads.ts'
import { missCall } from './writes.ts'

const NAME = 'call the next contact'
const BATCH = 50

export const escalationJobs: Job[] = [
  {
    name: NAME,
    lane: 'database',
    async run(world) {
      const due = await dueEscalations(world, restingRows(world, NAME), BATCH)
      return rowByRow(world, NAME, due, ({ id }) => missCall(world, id))
    },
  },
]
