import type pg from 'pg'
import { ERRORS } from '#contract/errors.ts'
import { REGIONS } from '#contract/regions.ts'
import { cards, coupons } from '#server/db/schema.ts'
import { startPostgres } from '#test/postgres.ts'
import { peopleIn, startCluster } from './cluster.ts'
import { buyerOf, orderOf, post, postAs } from './load.ts'
import type { Drill } from './run.ts'

const CONTENDERS = 50
let coupon = 0

type People = Awaited<ReturnType<typeof peopleIn>>
/** One attempt, at the instance with that address. */
type Contender = (url: string) => Promise<Response>

interface Race {
  winners: number
  /** The answer to those who lose. */
  refusal: number
  /** What the database must hold afterwards. */
  left: number
  prepare: (people: People) => Promise<{ contenders: Contender[]; count: () => Promise<number> }>
}

const countOf = async (pool: pg.Pool, text: string, id: number) => (await pool.query(text, [id])).rowCount!

/** One entry per race. A new one needs only its contenders and the expected outcome. */
const RACES: Record<string, Race> = {
  'vets take one consult': {
    winners: 1,
    refusal: 409,
    left: 1,
    async prepare({ member, consultation, vet, pool }) {
      const owner = await member()
      const { id } = await consultation({ userId: owner.id, petId: owner.pet.id })
      const vets = await Promise.all(Array.from({ length: CONTENDERS }, () => vet()))
      return {
        contenders: vets.map(
          ({ token }) =>
            (url) =>
              postAs(url, token, `/consultation/${id}/take`),
        ),
        // The conversation says once that a vet has joined.
        count: () => countOf(pool, 'select from messages where consultation_id = $1', id),
      }
    },
  },
  'pets for the places of one membership': {
    winners: 4,
    refusal: 409,
    left: 5,
    async prepare({ member, db, pool }) {
      const { id, token, subscription } = await member()
      const card = { brand: 'visa', last4: '4242', expMonth: 1, expYear: 2031 }
      await db.insert(cards).values({ userId: id, stripePaymentMethod: `pm_drill${id}`, ...card })
      const pet = { name: 'Pixel', pet_species: 3, breed: null, dob: null, desexed: null, sex: null }
      return {
        contenders: Array.from({ length: CONTENDERS }, () => (url) => postAs(url, token, '/pet', pet)),
        count: () =>
          countOf(pool, 'select from subscription_pets where subscription_id = $1', subscription.id),
      }
    },
  },
  'buyers of a coupon’s last use': {
    winners: 1,
    refusal: ERRORS.COUPON_INVALID.status,
    left: 1,
    async prepare({ db, pool }) {
      const code = `LAST${++coupon}`
      const of = { code, percentOff: 10, uses: 1, referrer: 'Drill' }
      const [row] = await db.insert(coupons).values(of).returning()
      const amount = REGIONS.za.prices.consult * 0.9
      return {
        contenders: Array.from({ length: CONTENDERS }, (_, n) => (url) => {
          const user = buyerOf(`Number ${n}`, `${code}-${n}@example.com`)
          return post(url, '/pay', orderOf(user, { amount, coupon_code: code }), `10.${coupon}.0.${n}`)
        }),
        count: () => countOf(pool, 'select from coupon_uses where coupon_id = $1', row!.id),
      }
    },
  },
  'desks of a clinic confirm one case': {
    // All of them learn who did.
    winners: CONTENDERS,
    refusal: 409,
    left: 1,
    async prepare({ member, consultation, vet, clinic, pool }) {
      const [owner, { id: vetId }, { id: clinicId, token }] = [await member(), await vet(), await clinic()]
      const at = new Date()
      const times = { start: at, vetStart: at, end: at, clinicSharedAt: at, clinicNotifiedAt: at }
      const { id } = await consultation({
        userId: owner.id,
        petId: owner.pet.id,
        vetId,
        clinicId,
        ...times,
      })
      const headers = { authorization: `Bearer ${token}` }
      return {
        contenders: Array.from(
          { length: CONTENDERS },
          () => (url) => fetch(`${url}/api/roster/clinic/accept/${id}/VETCHAT`, { headers }),
        ),
        count: () =>
          countOf(pool, "select from audit_log where action = 'accepted' and subject_id = $1::text", id),
      }
    },
  },
}

/** A planted fault: everybody checks whether it is free and then takes it. Returns how many believe that they won. */
async function lookThenWrite(pool: pg.Pool) {
  await pool.query('create table if not exists drill_race (id serial primary key, taken_by int)')
  const { rows } = await pool.query<{ id: number }>('insert into drill_race default values returning id')
  const tries = Array.from({ length: CONTENDERS }, async (_, contender) => {
    const free = await pool.query('select from drill_race where id = $1 and taken_by is null', [rows[0]!.id])
    if (free.rowCount === 0) return false
    await pool.query('update drill_race set taken_by = $2 where id = $1', [rows[0]!.id, contender])
    return true
  })
  return (await Promise.all(tries)).filter(Boolean).length
}

/** Runs n rounds of each race: 50 contenders want the same thing at the same moment, at two instances. */
export default {
  n: 20,
  async run(n, random) {
    await using postgres = await startPostgres()
    await using cluster = await startCluster(postgres.url)
    await using people = await peopleIn(postgres.url)
    const figure: Record<string, object> = {}
    let fair = true
    for (const [name, { winners, refusal, left, prepare }] of Object.entries(RACES)) {
      const found = {
        rounds: n,
        contenders: CONTENDERS,
        won: new Set<number>(),
        left: new Set<number>(),
        other: 0,
      }
      for (let round = 0; round < n; round++) {
        const { contenders, count } = await prepare(people)
        const at = random() < 0.5 ? 0 : 1
        const answers = await Promise.all(
          contenders.map((contend, which) => contend(cluster.running[(which + at) % 2]!.url)),
        )
        found.won.add(answers.filter(({ status }) => status === 200).length)
        found.other += answers.filter(({ status }) => status !== 200 && status !== refusal).length
        found.left.add(await count())
      }
      fair &&=
        [...found.won].join() === `${winners}` && [...found.left].join() === `${left}` && found.other === 0
      figure[name] = { ...found, won: [...found.won], left: [...found.left] }
    }
    const badWinners = await lookThenWrite(people.pool)
    return {
      figure: { ...figure, winnersByLookThenWrite: badWinners },
      target:
        'in every round one vet, five pets, one use of a coupon and one confirmation; everybody else is answered in order',
      pass: fair && badWinners > 1,
    }
  },
} satisfies Drill
