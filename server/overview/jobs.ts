import { transaction } from '../context.ts'
import type { Job } from '../jobs/clock.ts'
import { keepDays } from './writes.ts'

export const overviewJobs: Job[] = [
  {
    name: 'sum up the days that are over',
    lane: 'database',
    everyMinutes: 1,
    async run(world) {
      await transaction(world, keepDays)
    },
  },
]
