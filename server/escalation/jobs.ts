import { rowsJob } from '../jobs/retry-by-row.ts'
import { dueEscalations } from './reads.ts'
import { missCall } from './writes.ts'

export const escalationJobs = [
  rowsJob({
    name: 'call the next contact',
    lane: 'database',
    due: dueEscalations,
    handle: (world, { id }) => missCall(world, id),
  }),
]
