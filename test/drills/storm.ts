import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { MINUTE } from '#contract/time.ts'
import { photo } from '#test/pictures.ts'
import { startPostgres } from '#test/postgres.ts'
import { audit, auditSees, settled } from './audit.ts'
import { clusterEnv, peopleIn, startCluster } from './cluster.ts'
import { askSandbox, getAs, insist, pause, sendFile, until } from './load.ts'
import { startMailServer } from './mail-server.ts'
import type { Drill } from './run.ts'
import { buildAgain } from './second-build.ts'
import type { Talker } from './talker.ts'
import { wholeConsult } from './whole-consult.ts'

const GUESTS = 4
const MEMBERS = 3
const CLINICS = 2
const KILLED_EVERY = 25_000
const FAULT_EVERY = 3000
const MAIL_FAILS = 0.1
const SETTLES_WITHIN = 90_000
const FAULTED = ['POST /v1/payment_intents', 'POST /v1/customers', 'POST /v1/payment_methods', '*']
const FAULTS = ['lostAnswer', 'error500'] as const

/** What must hold afterwards: each query finds what shouldn't be there. */
const WRONG = {
  chargedTwice: `select p.id from purchases p join ledger l on l.purchase_id = p.id and l.kind = 'charge' group by p.id having count(*) > 1`,
  paidWithoutConsult: `select from purchases where email like 'whole%' and state = 'paid' and consultation_id is null`,
  unfinishedPurchases: `select from purchases where due_at is not null`,
  numbersPastTheLast: `select from consultations c join messages m on m.consultation_id = c.id group by c.id having max(m.seq) > c.last_seq`,
  endedWithoutVet: `select from consultations c join messages m on m.consultation_id = c.id and m.body like 'Number % says 19%' where c."end" is null or c.vet_id is null`,
  signedButOpen: `select from clinical_notes n join consultations c on c.id = n.consultation_id where n.signed_at is not null and c."end" is null`,
  endedBeforeTaken: `select from consultations where "end" < vet_start`,
  phoneTwice: `select pet_issue from consultations where pet_issue like 'Phone %' group by 1 having count(*) > 1`,
}

/** A kill between a file and its message leaves the file, which a job deletes an hour later. */
const FILES_OF_NO_MESSAGE = `select from attachments a where not exists (select from messages m where m.attachment_id = a.id)`

/** n minutes of whole journeys by everybody, under kills, provider faults and a rolling update. Nothing is lost or doubled. */
export default {
  n: 15,
  async run(n, random) {
    using next = buildAgain()
    await using postgres = await startPostgres()
    using mail = await startMailServer({ fails: () => random() < MAIL_FAILS })
    await using cluster = await startCluster(postgres.url, { env: mail.env })
    const { url } = cluster
    await using people = await peopleIn(postgres.url)
    const over = new AbortController()
    const lasts = n * MINUTE
    const began = performance.now()
    const done: Record<string, number> = {}
    const failed: string[] = []
    const talkers: Talker[] = []

    /** Repeats a journey until the storm is over. */
    async function again(name: string, journey: (at: number) => Promise<unknown>) {
      for (let at = 0; !over.signal.aborted; at++) {
        await journey(at).then(
          () => (done[name] = (done[name] ?? 0) + 1),
          (error: Error) => void failed.push(`${name}: ${error.message}`),
        )
        await pause(random() * 200)
      }
    }
    const as = (token: string) => ({ authorization: `Bearer ${token}` })
    /** Asks until it is answered, and fails if it's refused. */
    async function call<Answer extends object>(token: string, path: string, body?: object): Promise<Answer> {
      if (body) {
        const { status, body: said } = await insist<Answer>(() => ({ url }), path, body, as(token))
        if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(said)}`)
        return said
      }
      for (;;) {
        const answer = await getAs(url, token, path).catch(() => undefined)
        const text = await answer?.text().catch(() => undefined)
        if (answer?.ok && text !== undefined) return JSON.parse(text) as Answer
        if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${text}`)
        await pause(200)
      }
    }

    let guests = 0
    const paw = await photo()
    const sentFiles: string[] = []
    async function sendPhoto(token: string, consultation: number) {
      const file = new File([new Uint8Array(paw)], 'paw.jpg', { type: 'image/jpeg' })
      const sent = { consultation, clientId: randomUUID(), file }
      for (;;) {
        const answer = await sendFile(url, token, sent).catch(() => undefined)
        if (answer?.ok) return void sentFiles.push(sent.clientId)
        if (answer && answer.status < 500) throw new Error(`A photo: ${answer.status} ${await answer.text()}`)
        await pause(200)
      }
    }

    const journeys = [
      ...Array.from({ length: GUESTS }, () =>
        again('guest and vet', async () => {
          const one = await wholeConsult({ url, n: guests++, vet: await people.vet() })
          talkers.push(...one.talkers)
        }),
      ),
      ...Array.from({ length: MEMBERS }, async () => {
        const vet = await people.vet()
        let owner = await people.member()
        await again('member', async (at) => {
          // A person may send 100 files a day.
          if (at % 50 === 49) owner = await people.member()
          const words = {
            pet_id: owner.pet.id,
            pet_issue: 'She limps',
            type: 1,
            signs: [],
            agreed: true,
            terms: '1',
          }
          const { consultation } = await call<{ consultation: { id: number } }>(
            owner.token,
            '/consultation',
            words,
          )
          await sendPhoto(owner.token, consultation.id)
          await call(owner.token, '/consultation?filter=all')
          await call(vet.token, '/consultation?filter=available')
          await call(owner.token, `/consultation/${consultation.id}/cancel`, {})
        })
      }),
      ...Array.from({ length: CLINICS }, async (_, which) => {
        const clinic = await people.clinic()
        let vet = await people.vet()
        await again('clinic', async (at) => {
          // A vet may record 60 phone consults an hour.
          if (at % 50 === 49) vet = await people.vet()
          const taken = {
            key: `storm-${which}-${at}`,
            clinic: clinic.id,
            caller: 'Sipho Dlamini',
            pet: 'Rex',
            query: `Phone ${which} ${at}`,
            urgency: 'soon',
            decision: 'hours',
          }
          const { consultation } = await call<{ consultation: { id: number } }>(
            vet.token,
            '/phone/consultations',
            taken,
          )
          await call(clinic.token, '/clinics/consult')
          await call(clinic.token, `/roster/clinic/accept/${consultation.id}/VETCHAT`)
        })
      }),
      people.admin().then(({ token }) =>
        again('admin', async () => {
          await call(token, '/overview')
          await call(token, '/purchases/unfinished')
          await call(token, '/people/search', { q: 'thandi' })
        }),
      ),
    ]
    const sandbox = (what: 'faults' | 'clock', body: object) =>
      askSandbox(cluster.running[0]!.url, what, body).catch(() => undefined)
    const any = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!
    const faults = (async () => {
      while (!over.signal.aborted) {
        await sandbox('faults', {
          call: any(FAULTED),
          fault: any(FAULTS),
          times: 1 + Math.floor(random() * 3),
        })
        await pause(FAULT_EVERY * (0.5 + random()))
      }
    })()
    let kills = 0
    let isUpdated = false
    while (performance.now() - began < lasts) {
      await pause(KILLED_EVERY * (0.5 + random()))
      const from = isUpdated ? next.folder : undefined
      if (!isUpdated && performance.now() - began > lasts / 2) {
        isUpdated = true
        for (const at of [0, 1]) await cluster.restart(at, 'stop', next.folder)
      } else {
        await cluster.restart(any([0, 1]), 'kill', from)
        kills++
      }
    }
    over.abort()
    await faults
    for (const call of FAULTED) for (const fault of FAULTS) await sandbox('faults', { call, fault, times: 0 })
    await Promise.all(journeys)

    const count = async (query: string) => (await people.pool.query(query)).rowCount!
    const patience = { every: 500, within: SETTLES_WITHIN }
    let wrong: Record<string, number> = {}
    await until(async () => {
      wrong = {}
      for (const [name, query] of Object.entries(WRONG)) {
        const times = await count(query)
        if (times > 0) wrong[name] = times
      }
      return Object.keys(wrong).length === 0
    }, patience)
    const stored = await settled(people.pool, talkers)
    const messages = audit(stored, talkers)
    const seesFaults = talkers.length > 0 && auditSees(stored, talkers)
    for (const talker of talkers) talker.close()
    const files = new Set(
      globSync(`${cluster.running[0]!.dataDir}/files/**/*`).map((file) => path.parse(file).name),
    )
    const { rows } = await people.pool.query<{ name: string; client: string }>(
      'select a.name, m.client_id as client from attachments a join messages m on m.attachment_id = a.id',
    )
    const isStored = ({ name }: { name: string }) => files.has(path.parse(name).name)
    const known = new Set(rows.map(({ client }) => client))
    const lostFiles =
      rows.filter((row) => !isStored(row)).length + sentFiles.filter((one) => !known.has(one)).length
    // Its exit code says whether everything adds up, and its output says what doesn't.
    const unexplained = await promisify(execFile)(process.execPath, ['scripts/ledger.ts'], {
      env: { ...process.env, ...clusterEnv(postgres.url) },
    }).then(
      () => [],
      (error: { stderr: string }) => error.stderr.trim().split('\n').slice(0, 5),
    )
    await sandbox('clock', { days: 1 })
    let filesOfNoMessage = 0
    await until(async () => (filesOfNoMessage = await count(FILES_OF_NO_MESSAGE)) === 0, patience)
    return {
      figure: {
        minutes: n,
        journeys: done,
        failed: failed.slice(0, 5),
        kills,
        messages: stored.length,
        ...messages,
        files: rows.length,
        lostFiles,
        filesOfNoMessage,
        wrong,
        unexplained,
        mails: mail.taken.length,
        seesFaults: seesFaults && !isStored({ name: 'never sent.jpg' }),
      },
      target:
        'no journey fails, nothing acknowledged is lost or doubled, the ledger adds up, every file is there',
      pass:
        failed.length === 0 &&
        lostFiles + filesOfNoMessage === 0 &&
        unexplained.length === 0 &&
        seesFaults &&
        Object.keys(wrong).length === 0 &&
        Object.values(messages).every((times) => times === 0),
    }
  },
} satisfies Drill
