import { transaction } from '../context.ts'
import type { Job } from '../jobs/clock.ts'
import { closeOver } from './writes.ts'

/** Rings that nobody answered, calls that the vet's page never left, and those of consults that moved on. */
const closeCalls: Job = {
  name: 'close calls',
  lane: 'database',
  run: (world) => transaction(world, (world) => closeOver(world)),
}

export const videoJobs = [closeCalls]
