import { checkInAnswer, MOST_OPEN } from '#contract/consultations.ts'
import { LIMITS, QUOTAS } from '#contract/limits.ts'
import { atOnce } from '#test/at-once.ts'
import { startProduct } from '#test/e2e/product.ts'
import { photo } from '#test/pictures.ts'
import { startPostgres } from '#test/postgres.ts'
import { clusterEnv, peopleIn } from './cluster.ts'
import {
  begunWith,
  buyerOf,
  orderOf,
  pause,
  percentile,
  post,
  postWith,
  repeating,
  sendFile,
  solved,
} from './load.ts'
import type { Drill } from './run.ts'

const AT_ONCE = 8
const PAYS_WITHIN_MS = 3000
const EVERY_MS = 300
/** Purchases that cost nothing, each with its human check solved. */
const FREE = 20
/** Messages with their human check solved, which ask for a receipt. */
const RECEIPTS = 6
const UPLOADS = QUOTAS.consultation.files + 10
const CONSULTS = 20
/** Mails to one person, by template. */
const MAILS = {
  'consult begun': LIMITS.begunMails.max,
  newsletter: LIMITS.newsletterEmail.max,
  'reset code': LIMITS.resetCodeEmail.max,
  'contact received': LIMITS.contactEmail.max,
}

/** A product, its database, and strangers who call from one address or from many. */
interface Scene {
  url: string
  people: Awaited<ReturnType<typeof peopleIn>>
  addresses: number
  /** Whose mailbox they try to fill, and whose password they keep from being reset. */
  victim: string
  /** The address of the nth attempt. */
  from: (n: number) => string
}

interface Attack {
  times: number
  /** One attempt. Returns whether it succeeded. */
  attempt: (n: number) => Promise<boolean>
  /** What the attempts left behind, for calls that accept a repeat and change nothing. */
  left?: () => Promise<number>
  most: number
}

let buyers = 0
const order = (change: object = {}) =>
  orderOf(buyerOf(`Number ${++buyers}`, `abuse${buyers}@example.com`), change)

const nothing = (change: object) => order({ card: null, amount: 0, coupon_code: 'FREECONSULT', ...change })

async function freeConsult({ url, victim, from }: Scene, n: number, userConfirmation?: string) {
  const address = from(n)
  const user = buyerOf(`Free ${++buyers}`, victim)
  const paid = await post(url, '/pay', nothing({ user, userConfirmation }), address)
  if (!paid.ok) return false
  const { purchase } = (await paid.json()) as { purchase: string }
  const begin = { ...begunWith(user, purchase), emailSubscription: true }
  return (await post(url, '/user/newUserConsultation', begin, address)).ok
}

/** What strangers try, and how much of it may come through. */
async function attacksOn(scene: Scene, n: number): Promise<Record<string, Attack>> {
  const { url, people, addresses, from, victim } = scene
  const checks: string[] = []
  for (let k = 0; k < FREE; k++) checks.push(await solved(url, 'pay'))
  const member = await people.member()
  const pet = member.pet.id
  const { consultation, owner } = await people.consult()
  const picture = await photo()
  const send = (n: number, path: string, body: object) => post(url, path, body, from(n))
  const asked = ({ most }: { most: number }) => Math.min(n, addresses * most)
  const sendAs = async (token: string, n: number, path: string, body: object) =>
    (await postWith(url, path, body, { authorization: `Bearer ${token}`, 'x-forwarded-for': from(n) })).ok
  const counted = async (rows: string, value: unknown) =>
    (await people.pool.query(`select from ${rows}`, [value])).rowCount!
  const clinics = [await people.clinic(), await people.clinic()]
  await people.pool.query(`update clinics set email = username || '@example.com' where id = any($1)`, [
    clinics.map(({ id }) => id),
  ])
  const ended = await people.consult()
  await people.pool.query('update consultations set follow_up_at = now() where id = $1', [ended.consultation])
  const contactChecks: string[] = []
  for (let k = 0; k < RECEIPTS; k++) contactChecks.push(await solved(url, 'contact'))
  return {
    freeWithoutCheck: { times: n, most: 0, attempt: (n) => freeConsult(scene, n) },
    freeWithCheck: {
      times: FREE,
      most: Math.min(FREE, addresses * LIMITS.freePurchases.max),
      attempt: (n) => freeConsult(scene, n, checks[n]),
    },
    refusedCards: {
      times: n,
      most: LIMITS.cardRefused.max,
      async attempt(n) {
        const { status } = await send(n, '/pay', order({ card: { token: 'tok_chargeDeclined' } }))
        return status === 402
      },
    },
    coupons: {
      times: n,
      most: asked({ most: LIMITS.couponMisses.max + AT_ONCE }),
      attempt: async (n) => (await send(n, '/pay/coupon', { couponCode: `GUESS${n}` })).status === 404,
    },
    policies: {
      times: n,
      most: asked({ most: LIMITS.policyLookUps.max }),
      async attempt(n) {
        const headers = { 'x-forwarded-for': from(n) }
        const { status } = await fetch(`${url}/api/pet/policy/POL-${1001 + n}`, { headers })
        return status === 200 || status === 404
      },
    },
    resetCodes: {
      times: n,
      most: asked({ most: LIMITS.resetAddress.max }),
      attempt: async (n) =>
        (await send(n, '/user/resetpwd', { code: `WRONG${n}`, password: 'Brandnew1' })).status === 400,
    },
    codeMails: {
      times: n,
      most: n,
      attempt: async (n) => (await send(n, '/user/resetpwdcode', { email: victim })).ok,
    },
    contactForm: {
      times: n,
      most: asked({ most: LIMITS.contactAddress.max + RECEIPTS }),
      async attempt(n) {
        const written = { queryAbout: 7, name: 'Drill', email: victim, body: `No. ${n}` }
        return (await send(n, '/contactus', { ...written, userConfirmation: contactChecks[n] })).ok
      },
    },
    uploads: {
      times: UPLOADS,
      most: QUOTAS.consultation.files,
      async attempt(n) {
        const file = new File([new Uint8Array(picture)], 'rex.jpg', { type: 'image/jpeg' })
        const sent = { consultation, clientId: `upload-${addresses}-${n}`, file }
        return (await sendFile(url, owner.token, sent, { 'x-forwarded-for': from(n) })).ok
      },
    },
    openConsults: {
      times: CONSULTS,
      most: MOST_OPEN,
      attempt: (n) =>
        sendAs(member.token, n, '/consultation', { pet_id: pet, pet_issue: `Not well, no. ${n}`, type: 1 }),
    },
    tellsWhenBack: {
      times: n,
      most: asked({ most: LIMITS.backAddress.max }),
      left: () => counted('back_asks where email like $1', `back${addresses}-%`),
      attempt: async (n) => (await send(n, '/queue/tell', { email: `back${addresses}-${n}@example.com` })).ok,
    },
    clinicShares: {
      times: n,
      most: LIMITS.clinicShares.max,
      left: () =>
        counted(
          `audit_log where subject = 'clinic share' and action = 'shared' and subject_id = $1`,
          ended.consultation,
        ),
      attempt(n) {
        const clinic = n % 3 === 2 ? null : clinics[n % 3]!.id
        return sendAs(ended.owner.token, n, `/consultation/${ended.consultation}/clinic`, {
          clinic,
          agreed: clinic !== null,
        })
      },
    },
    checkIns: {
      times: n,
      most: LIMITS.checkIns.max,
      left: () => counted('messages where consultation_id = $1', ended.consultation),
      attempt: (n) =>
        sendAs(ended.owner.token, n, `/consultation/${ended.consultation}/check-in`, {
          answer: checkInAnswer.options[n % 3],
        }),
    },
  }
}

/** Makes an attack's attempts, a few in parallel, and counts those that succeeded. */
async function carriedOut({ times, attempt, left }: Attack) {
  let next = 0
  let through = 0
  await atOnce(AT_ONCE, async () => {
    while (next < times) if (await attempt(next++)) through++
  })
  return left ? left() : through
}

/** Somebody who buys a consult every now and then and solves the human check when asked, unless `blind`. */
function honestBuyer(url: string, address: string, { blind = false } = {}) {
  const took: number[] = []
  let failures = 0
  const end = repeating(async () => {
    const began = performance.now()
    const sent = order()
    let answer = await post(url, '/pay', sent, address)
    if (answer.status === 403 && !blind)
      answer = await post(url, '/pay', { ...sent, userConfirmation: await solved(url, 'pay') }, address)
    took.push(performance.now() - began)
    if (!answer.ok) failures++
    await pause(EVERY_MS)
  })
  return {
    async stop() {
      await end()
      return { bought: took.length - failures, failures, p95: Math.round(percentile(took, 0.95)) }
    },
  }
}

const mailsTo = async ({ people, victim }: Scene, template: string) =>
  (await people.pool.query('select from mails where "to" = $1 and template = $2', [victim, template]))
    .rowCount!

/** A code that was mailed works from a busy address, once the human check is solved. */
async function canReset({ url, people, from, victim }: Scene) {
  const { rows } = await people.pool.query(
    `select text from mails where "to" = $1 and template = 'reset code' order by id desc limit 1`,
    [victim],
  )
  const code = /\/resetpwd\/([A-Z0-9]{20})/.exec(rows[0]?.text ?? '')?.[1]
  const userConfirmation = await solved(url, 'try_again')
  return (await post(url, '/user/resetpwd', { code, password: 'Brandnew1', userConfirmation }, from(0))).ok
}

/** All attacks in turn, with an honest buyer beside them at one of their addresses. */
async function attacked(scene: Scene, n: number) {
  const { url, people, from, victim } = scene
  await people.person({ email: victim })
  const attacks = await attacksOn(scene, n)
  const buyer = honestBuyer(url, from(0))
  // Known to be bad: a page that doesn't solve the human check.
  const blind = honestBuyer(url, from(0), { blind: true })
  const through: Record<string, number> = {}
  for (const [name, attack] of Object.entries(attacks)) through[name] = await carriedOut(attack)
  const mails: Record<string, number> = {}
  for (const template of Object.keys(MAILS)) mails[template] = await mailsTo(scene, template)
  return {
    through,
    mails,
    tooMany: [
      ...Object.entries(attacks).filter(([name, { most }]) => through[name]! > most),
      ...Object.entries(MAILS).filter(([template, most]) => mails[template]! > most),
    ].map(([name]) => name),
    honest: await buyer.stop(),
    blind: await blind.stop(),
    resets: await canReset(scene),
  }
}

/** Known to be bad: a product that forgets its limits. Returns whether too many free consults succeeded. */
async function forgetting(scene: Scene) {
  let through = 0
  for (let n = 0; n <= LIMITS.freePurchases.max; n++) {
    const check = await solved(scene.url, 'pay')
    await scene.people.pool.query('delete from tries')
    if (await freeConsult(scene, 0, check)) through++
  }
  return through > LIMITS.freePurchases.max
}

/** Strangers try each attack n times from one address and from 200. An honest buyer at their address can pay throughout. */
export default {
  n: 200,
  async run(n, random) {
    await using postgres = await startPostgres()
    await using product = await startProduct({ env: { ...clusterEnv(postgres.url), LOG_LEVEL: 'silent' } })
    await using people = await peopleIn(postgres.url)
    const network = Math.floor(random() * 200)
    const scene = (addresses: number): Scene => ({
      url: product.url,
      people,
      addresses,
      victim: `victim${addresses}@example.com`,
      from: (n) => `10.${network}.${addresses % 256}.${n % addresses}`,
    })
    const one = await attacked(scene(1), n)
    const many = await attacked(scene(200), n)
    const isForgettingSeen = await forgetting(scene(2))
    return {
      figure: { one, many, isForgettingSeen },
      target: `0 beyond their limits; an honest buyer at the same address always pays, p95 under ${PAYS_WITHIN_MS} ms; a mailed code works`,
      pass:
        isForgettingSeen &&
        one.blind.failures > 0 &&
        [one, many].every(
          ({ tooMany, honest, resets }) =>
            tooMany.length === 0 &&
            honest.failures === 0 &&
            honest.bought > 0 &&
            honest.p95 < PAYS_WITHIN_MS &&
            resets,
        ),
    }
  },
} satisfies Drill
