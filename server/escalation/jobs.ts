import { rowsJob } from '../jobs/retry-by-row.ts'
import { dueEscalations } from './reads.ts'
import { missCall } from './writes.ts'

const BATCH = 50

export const escalationJobs = [
  rowsJob({
    name: 'call the next contact',
    lane: 'database',
    due: (world, resting) => dueEscalations(world, resting, BATCH),
    handle: (world, { id }) => missCall(world, id),
  }),
]
