import type { Job } from '../jobs/clock.ts'
import { sealAnew } from './writes.ts'

/** While SECRET is being changed, seals second factors with the secret that signs now. */
const sealFactors: Job = {
  name: 'seal factors',
  lane: 'database',
  everyMinutes: 10,
  async run(world) {
    if (world.secrets.length === 1) return
    const sealed = await sealAnew(world)
    if (sealed > 0) world.log.info({ event: 'second factors re-encrypted', factors: sealed })
  },
}

export const factorJobs = [sealFactors]
