import { setTimeout as pause } from 'node:timers/promises'
import type { World } from '../context.ts'

/** A slice's late work: does what is due and answers how much that was. Rows are claimed, so it is done once in the whole cluster. */
export interface Job {
  name: string
  /** Looks only this often; without it at every tick. */
  everyMinutes?: number
  run: (world: World) => Promise<number>
}

const TICK = 1000
/** Of a tick the jobs are spread over this long: all at once they are in the way of whoever is answered meanwhile. */
const SPREAD = TICK / 2

export interface Clock {
  /** From here on it ticks. */
  start: () => void
  /** Looks at once instead of at the next tick; before the start it waits for that. */
  wake: () => void
  /** Does everything that is due now; tests call it instead of waiting. */
  runDue: () => Promise<void>
  stop: () => Promise<void>
}

export function makeClock(world: World, jobs: Job[]): Clock {
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let woken = false
  let running: Promise<void> | undefined
  const lookedAt = new Map<Job, number>()

  function isTime(job: Job) {
    const now = world.now().getTime()
    if (now - (lookedAt.get(job) ?? -Infinity) < (job.everyMinutes ?? 0) * 60_000) return false
    lookedAt.set(job, now)
    return true
  }
  let closing = false

  async function runDue(spread = 0) {
    const due = jobs.filter(isTime)
    for (const job of due) {
      // What was woken for is done at once.
      if (spread > 0 && !woken) await pause(spread / due.length)
      if (closing) return
      try {
        while ((await job.run(world)) > 0) {
          woken = false
          if (closing) return
        }
      } catch (error) {
        world.log.error({ event: 'job failed', job: job.name, err: error })
      }
    }
  }
  function turn(spread: number) {
    if (stopped) return
    if (running) return void (woken = true)
    clearTimeout(timer)
    running = runDue(spread).finally(() => {
      running = undefined
      if (stopped) return
      timer = woken ? setTimeout(turn, 0, 0) : setTimeout(turn, TICK - SPREAD, SPREAD)
      woken = false
    })
  }
  return {
    start() {
      if (closing) return
      stopped = false
      turn(SPREAD)
    },
    wake: () => turn(0),
    runDue: () => runDue(),
    async stop() {
      // What is under way is finished; what is due after it waits for the next start.
      stopped = closing = true
      clearTimeout(timer)
      await running
    },
  }
}
