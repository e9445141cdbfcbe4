import { startProduct } from '#test/e2e/product.ts'
import { connectTo, startPostgres } from '#test/postgres.ts'
import { clusterEnv, peopleIn } from './cluster.ts'
import { insist, pause } from './load.ts'
import type { Drill } from './run.ts'
import { startSmsServer, type TakenSms } from './sms-server.ts'

const KILLS = 10
const KILL_EVERY = 4000
const FAILS = 0.1
const FOR_EACH_VET = 20
const AT_ONCE = 6
const WITHIN = 900_000

/** Who answers: the first contact, the next, nobody, the first with a no, or both at the same moment. */
const PLANS = ['first', 'next', 'nobody', 'declines', 'both'] as const
type Plan = (typeof PLANS)[number]

interface Step {
  consultation_id: number
  step: number
  kind: string
  place: number | null
  call_step: number | null
  id: number
}
interface Case {
  consultation_id: number
  state: string
  place: number
  step: number
}

const codeIn = ({ text }: TakenSms) => /\/on-call\/(\w+)$/.exec(text)?.[1] ?? ''
/** The row of the step that a code names. */
const callOf = (code: string) => Number.parseInt(code.slice(0, -24), 36)

/** Counts what was lost or happened twice. */
function judge(
  cases: Case[],
  steps: Step[],
  taken: TakenSms[],
  recorded: number[],
  said: Map<number, number>,
) {
  const ofCase = Map.groupBy(steps, (step) => step.consultation_id)
  const idsOf = new Map<number, Set<string>>()
  for (const one of taken) {
    const call = callOf(codeIn(one))
    idsOf.set(call, (idsOf.get(call) ?? new Set()).add(one.id))
  }
  const calls = steps.filter(({ kind }) => kind === 'called')
  const known = new Set(cases.map((one) => one.consultation_id))
  const isWhole = ({ consultation_id, step }: Case) =>
    (ofCase.get(consultation_id) ?? [])
      .toSorted((a, b) => a.step - b.step)
      .every((one, at) => one.step === at + 1) && ofCase.get(consultation_id)?.length === step
  return {
    lost: recorded.filter((id) => !known.has(id)).length + calls.filter(({ id }) => !idsOf.has(id)).length,
    stuck: cases.filter(({ state }) => state !== 'taken' && state !== 'yours').length,
    gaps: cases.filter((one) => !isWhole(one)).length,
    toldTwice: [...idsOf.values()].filter((ids) => ids.size > 1).length,
    calledTwice:
      calls.length - new Set(calls.map(({ consultation_id, place }) => `${consultation_id} ${place}`)).size,
    takenTwice: [...ofCase.values()].filter(
      (all) => all.filter(({ kind }) => kind === 'acknowledged').length > 1,
    ).length,
    // One contact was told that they have the case, and somebody else has it.
    wrongly: cases.filter(({ consultation_id, state, place }) => {
      const told = said.get(consultation_id)
      return told !== undefined && (state !== 'taken' || told !== place)
    }).length,
  }
}
const isClean = (found: ReturnType<typeof judge>) => Object.values(found).every((count) => count === 0)

/** n cases at night, an SMS provider with faults, kills, and contacts who press twice, late or at the same moment. */
export default {
  n: 1000,
  async run(n, random) {
    let isReliable = false
    using server = await startSmsServer(() => !isReliable && random() < FAILS / 3)
    await using postgres = await startPostgres()
    const env = { ...clusterEnv(postgres.url), ...server.env }
    let product = await startProduct({ env, heard: false })
    await using client = await connectTo(postgres.url)
    const rows = async <Row>(text: string, values: unknown[] = []) =>
      (await client.query(text, values)).rows as Row[]
    await using people = await peopleIn(postgres.url)
    const vets: ReturnType<typeof people.vet>[] = []
    const [clinic] = await rows<{ id: number }>(`select id from clinics where username = 'democlinic'`)
    const plans = new Map<number, Plan>()
    const recorded: number[] = []
    /** The contact whom the product told that they have the case. */
    const said = new Map<number, number>()
    const over = new AbortController()

    async function ask<Answer extends object>(path: string, body: object, headers = {}) {
      const { status, body: said } = await insist<Answer>(() => product, path, body, headers)
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(said)}`)
      return said
    }
    const record = async (k: number) => {
      // Each vet calls fewer contacts than the limit allows.
      const { token } = await (vets[Math.floor(k / FOR_EACH_VET)] ??= people.vet())
      const { consultation } = await ask<{ consultation: { id: number } }>(
        '/phone/consultations',
        {
          key: `drill-${k}`,
          clinic: clinic!.id,
          caller: 'Drill',
          phone: '083 555 0142',
          pet: `Pet ${k}`,
          query: 'Drill',
          urgency: 'urgent',
          decision: 'contact',
        },
        { authorization: `Bearer ${token}` },
      )
      plans.set(consultation.id, PLANS[Math.floor(random() * PLANS.length)]!)
      recorded.push(consultation.id)
    }
    const press = async (code: string, id: number, place: number, answer: 'yes' | 'no') => {
      const answers = await Promise.all(
        [1, 2].map(() => ask<{ standing: string }>('/contact-call', { code, answer })),
      )
      if (answers.some(({ standing }) => standing === 'on it')) said.set(id, place)
    }

    const began = performance.now()
    let kills = 0
    const recording = (async () => {
      let next = 0
      const one = async () => {
        while (next < n) await record(next++)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, one))
    })()
    const killing = (async () => {
      while (kills < KILLS && !over.signal.aborted) {
        await pause(KILL_EVERY / 2 + random() * (KILL_EVERY / 2))
        if (over.signal.aborted) return
        await product.kill()
        kills++
        // The killed process's claims expire straight away, so the drill doesn't wait for them.
        await client.query(
          `update sms_messages set claimed_until = null, due_at = least(due_at, now()) where sent_at is null`,
        )
        product = await startProduct({ env, dataDir: product.dataDir, port: product.port, heard: false })
      }
      isReliable = true
    })()

    /** Each message that arrives is read once, and its contact does what the case's plan says. */
    const seen = new Map<string, { id: number; place: number }>()
    const firsts = new Map<number, string>()
    let read = 0
    let waiting: Promise<void>[] = []
    while (performance.now() - began < WITHIN) {
      for (; read < server.taken.length; read++) {
        const code = codeIn(server.taken[read]!)
        if (seen.has(code)) continue
        const [call] = await rows<{ consultation_id: number; place: number }>(
          `select consultation_id, place from escalation_steps where id = $1`,
          [callOf(code)],
        )
        if (!call) continue
        const { consultation_id: id, place } = call
        seen.set(code, { id, place })
        const plan = plans.get(id)
        if (plan === undefined) {
          // Its recording hasn't been answered yet.
          seen.delete(code)
          break
        }
        if (place === 0) firsts.set(id, code)
        if (plan === 'first' || (place === 1 && plan !== 'nobody' && plan !== 'both'))
          waiting.push(press(code, id, place, 'yes'))
        else if (place === 0 && plan === 'declines') waiting.push(press(code, id, place, 'no'))
        else if (place === 1 && plan === 'both')
          waiting.push(press(code, id, 1, 'yes'), press(firsts.get(id)!, id, 0, 'yes'))
      }
      // Contacts who sleep have run out of time.
      const asleep = [...plans].filter(([, plan]) => plan !== 'first').map(([id]) => id)
      await client.query(
        `update escalations e set due_at = now() where state = 'calling' and consultation_id = any($1) and exists (
           select from sms_messages where key = 'escalation ' || e.consultation_id || ' ' || e.step and sent_at is not null)
           and not (place = 1 and consultation_id = any($2)) and not (place = 0 and consultation_id = any($3))`,
        [
          asleep,
          [...plans].filter(([, plan]) => plan !== 'nobody').map(([id]) => id),
          [...plans].filter(([, plan]) => plan === 'declines').map(([id]) => id),
        ],
      )
      await client.query(
        `update sms_messages set due_at = now() where sent_at is null and failed_at is null and due_at > now()`,
      )
      const [open] = await rows<{ count: string }>(
        `select count(*) from escalations where state = 'calling' or exists (
           select from sms_messages where sent_at is null and failed_at is null)`,
      )
      if (recorded.length === n && Number(open!.count) === 0 && read === server.taken.length) break
      await pause(150)
    }
    over.abort()
    await Promise.all([recording, killing, ...waiting])
    waiting = []
    const took = Math.round((performance.now() - began) / 1000)

    const cases = await rows<Case>(`select * from escalations where consultation_id = any($1)`, [recorded])
    const steps = await rows<Step>(`select * from escalation_steps where consultation_id = any($1)`, [
      recorded,
    ])
    await product.remove()

    const found = judge(cases, steps, server.taken, recorded, said)
    // A message sent under two ids and one that was never sent must be noticed.
    const told = server.taken.find((one) => seen.has(codeIn(one)))!
    const planted = [...server.taken.filter((one) => one !== server.taken.at(-1)), { ...told, id: 'again' }]
    const bad = judge(cases, steps.slice(1), planted, recorded, said)
    return {
      figure: {
        cases: recorded.length,
        kills,
        seconds: took,
        messages: new Set(server.taken.map(({ id }) => id)).size,
        arrivedAgain: server.taken.length - new Set(server.taken.map(({ id }) => id)).size,
        taken: cases.filter(({ state }) => state === 'taken').length,
        ...found,
        knownToBeBad: { toldTwice: bad.toldTwice, gaps: bad.gaps },
      },
      target: '0 lost, 0 told twice the same step',
      pass: recorded.length === n && isClean(found) && bad.toldTwice > 0 && bad.gaps > 0,
    }
  },
} satisfies Drill
