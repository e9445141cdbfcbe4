import { setTimeout as pause } from 'node:timers/promises'
import type { World } from '../context.ts'

/** A slice's background work. `run` handles due rows and answers how many. It claims them, so only one instance does each. */
export interface Job {
  name: string
  /** The pause between two runs; without it the job runs at every tick. */
  everyMinutes?: number
  run: (world: World) => Promise<number>
}

const TICK = 1000
/** The jobs of a tick spread over this long, since all of them together would slow down the calls in between. */
const SPREAD = TICK / 2

export interface Clock {
  start: () => void
  /** Ticks now instead of later. Does nothing before the start. */
  wake: () => void
  /** Runs everything that is due now; tests call it instead of waiting. */
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
      // Someone woke the clock, so we don't spread the jobs.
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
      // Running work finishes; other due work waits for the next start.
      stopped = closing = true
      clearTimeout(timer)
      await running
    },
  }
}
