import { setTimeout as pause } from 'node:timers/promises'
import type { JobReport } from '#contract/logs.ts'
import { MINUTE } from '#contract/time.ts'
import type { World } from '../context.ts'
import { noteDiskFull } from '../db/full-disk.ts'
import { describeError } from '../http/log.ts'
import { iso } from '../http/answers.ts'

/** What a job waits for. A mail server that hangs holds up only the jobs that wait for it (decision 039). */
export type Lane = 'database' | 'mail' | 'sms' | 'payments' | 'files'

/**
 * A slice's background work. `run` claims due rows, so that only one instance handles each, and returns how many it handled
 * if there may be more.
 */
export interface Job {
  name: string
  lane: Lane
  /** The pause between two runs; without it the job runs at every tick. */
  everyMinutes?: number
  run: (world: World) => Promise<number | void>
}

const TICK = 2000
/** The jobs of a tick spread over this long, since all of them together would slow down the calls in between. */
const SPREAD = TICK / 2
/** When we stop, running jobs get this long. Their rows stay due, so what a provider didn't answer is repeated later. */
const LEFT_AFTER = 3000

type Ran = (job: string, ms: number, hasFailed: boolean) => void

export function makeClock(world: World, jobs: Job[], ran: Ran = () => {}) {
  const kept = new Map(jobs.map((job) => [job, { failing: 0, longest: 0 }]))
  const makeOne = (jobs: Job[]) => makeLane(world, jobs, kept, ran)
  const lanes = [...Map.groupBy(jobs, ({ lane }) => lane).values()].map(makeOne)
  const since = iso(world.now())
  return {
    start: () => lanes.forEach((lane) => lane.start()),
    /** Ticks now instead of later. Does nothing before the start. */
    wake: () => lanes.forEach((lane) => lane.wake()),
    /** Runs everything that is due now, one job after the other; tests call it instead of waiting. */
    runDue: makeOne(jobs).runDue,
    /** Since when this instance runs its jobs, and how each is doing. */
    report: () => ({ since, jobs: jobs.map((job) => reportOf(job, kept.get(job)!)) }),
    async stop() {
      const stopped = Promise.all(lanes.map((lane) => lane.stop()))
      await Promise.race([stopped, pause(LEFT_AFTER, undefined, { ref: false })])
      for (const job of lanes.flatMap((lane) => lane.current() ?? []))
        world.log.warn({ event: 'job interrupted', job: job.name, lane: job.lane })
    },
  }
}

/** How a job is doing in this process. We don't store it: with a run every two seconds, it would be most of what we write. */
interface Kept {
  begun?: Date
  ran?: Date
  took?: number
  longest: number
  failing: number
  failedAt?: Date
  error?: string
}

function reportOf({ name, lane, everyMinutes }: Job, kept: Kept): JobReport {
  const { begun, ran, took, longest, failing, failedAt, error } = kept
  const next = ran && new Date(ran.getTime() + (everyMinutes ? everyMinutes * MINUTE : TICK))
  return {
    name,
    lane,
    every_minutes: everyMinutes ?? null,
    running: begun !== undefined,
    last_run: iso(ran ?? null),
    took_ms: took ?? null,
    longest_ms: took === undefined ? null : longest,
    next_run: iso(next ?? null),
    failing,
    failed_at: iso(failedAt ?? null),
    error: error ?? null,
  }
}

/** Runs a job until it finds nothing more to do, and notes how it went. */
async function runJob(world: World, job: Job, known: Kept, ran: Ran, goesOn: () => boolean) {
  const started = performance.now()
  let hasFailed = false
  known.begun = known.ran = world.now()
  try {
    while (((await job.run(world)) ?? 0) > 0) if (!goesOn()) return
    known.failing = 0
  } catch (error) {
    hasFailed = true
    noteDiskFull(error)
    known.failing++
    known.failedAt = world.now()
    const { type, message } = describeError(error)
    known.error = [type, message].filter(Boolean).join(': ').slice(0, 300)
    world.log.error({ event: 'job failed', job: job.name, err: error })
  } finally {
    const took = performance.now() - started
    delete known.begun
    known.took = Math.round(took)
    known.longest = Math.max(known.longest, known.took)
    ran(job.name, took, hasFailed)
  }
}

/** Runs its jobs one after the other. */
function makeLane(world: World, jobs: Job[], kept: Map<Job, Kept>, ran: Ran) {
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let woken = false
  let running: Promise<void> | undefined
  let current: Job | undefined
  let closing = false
  const lookedAt = new Map<Job, number>()

  function isTime(job: Job) {
    const now = world.now().getTime()
    // A clock that was far ahead and is put right must not stop the job until then.
    const apart = Math.abs(now - (lookedAt.get(job) ?? -Infinity))
    if (apart < (job.everyMinutes ?? 0) * MINUTE) return false
    lookedAt.set(job, now)
    return true
  }

  async function runDue(spread = 0) {
    const due = jobs.filter(isTime)
    for (const job of due) {
      // Someone woke the clock, so we don't spread the jobs.
      if (spread > 0 && !woken) await pause(spread / due.length)
      if (closing) return
      current = job
      await runJob(world, job, kept.get(job)!, ran, () => {
        woken = false
        return !closing
      })
      current = undefined
      if (closing) return
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
    current: () => current,
    async stop() {
      // Running work finishes; other due work waits for the next start.
      stopped = closing = true
      clearTimeout(timer)
      await running
    },
  }
}
