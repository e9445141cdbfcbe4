import type { StepKind } from '#contract/escalation.ts'
import { type Decision, DECISIONS } from '#contract/phone.ts'
import { DAY, MINUTE } from '#contract/time.ts'
import type { Level } from '#contract/urgency.ts'
import type { Db } from '../client.ts'
import { consultations, escalations, escalationSteps, phoneConsults, summaries } from '../schema.ts'

type Call = [
  daysAgo: number,
  /** Minutes after midnight UTC: 20:40 is 20 * 60 + 40. */
  minute: number,
  minutes: number,
  caller: string,
  pet: string,
  speciesId: number,
  sex: 1 | 2,
  age: string,
  problem: string,
  urgency: Level,
  decision: Decision,
  advice: string,
]

/** A month of nights at one clinic. */
const CALLS: Call[] = [
  [
    1,
    1275,
    6,
    'Thandiwe Ngcobo',
    'Simba',
    2,
    1,
    '4 years',
    'In and out of the litter box since supper, crying. No urine that she has seen.',
    'emergency',
    'contact',
    'May be blocked. Must be seen tonight. Nothing by mouth, no pressing on the belly.',
  ],
  [
    2,
    1190,
    4,
    'Craig Naidoo',
    'Roxy',
    1,
    2,
    '7 years',
    'Ate half a loaf of bread with raisins an hour ago.',
    'urgent',
    'emergency',
    'Raisins can harm the kidneys. Go in now and take the packet along.',
  ],
  [
    4,
    1020,
    5,
    'Sipho Cele',
    'Zeus',
    1,
    1,
    '3 years',
    'Scratching his ear since the weekend, shakes his head.',
    'routine',
    'hours',
    'Don’t clean the ear. Book for this week.',
  ],
  [
    5,
    240,
    7,
    'Annelise Botha',
    'Minki',
    2,
    2,
    '11 years',
    'Drinks a lot and has lost weight over the last two months.',
    'soon',
    'hours',
    'Needs blood and urine tests. Bring a fresh urine sample if you can.',
  ],
  [
    7,
    1330,
    5,
    'Bheki Dlamini',
    'Tyson',
    1,
    1,
    '2 years',
    'Limps on a hind leg after playing, puts it down now and then.',
    'soon',
    'hours',
    'Rest on a lead until he is seen. No human painkillers.',
  ],
  [
    8,
    1110,
    3,
    'Priya Govender',
    'Coco',
    1,
    2,
    '9 months',
    'Vomited twice after the braai, otherwise lively.',
    'soon',
    'hours',
    'Small sips of water, a bland meal in the morning. Call again if she vomits once more.',
  ],
  [
    10,
    60,
    8,
    'Hennie Smit',
    'Bruno',
    1,
    1,
    '8 years',
    'Tries to vomit and nothing comes, belly tight as a drum.',
    'emergency',
    'contact',
    'Sounds like bloat: minutes count. Drive now, we called ahead.',
  ],
  [
    12,
    1200,
    4,
    'Lindiwe Khumalo',
    'Pepper',
    2,
    2,
    '6 years',
    'A small cut on the paw, it stopped bleeding.',
    'routine',
    'hours',
    'Rinse with salt water, keep her inside tonight.',
  ],
  [
    13,
    1300,
    6,
    'Ashwin Pillay',
    'Max',
    1,
    1,
    '10 years',
    'Coughs at night since Monday and tires on walks.',
    'soon',
    'hours',
    'Have his heart and chest checked within two days. Come at once if his gums turn grey.',
  ],
  [
    15,
    1165,
    5,
    'Mandla Zungu',
    'Nala',
    2,
    2,
    '2 years',
    'In labour for five hours, two kittens, still straining without a third.',
    'urgent',
    'contact',
    'Straining without a kitten for this long needs a vet tonight.',
  ],
  [
    17,
    30,
    4,
    'Wendy Clark',
    'Biscuit',
    1,
    1,
    '5 years',
    'Bee sting on the lip, swollen, breathing normally.',
    'soon',
    'hours',
    'Cool it with a wet cloth. Go in straight away if the swelling reaches the throat.',
  ],
  [
    19,
    1245,
    5,
    'Themba Mthembu',
    'Bella',
    1,
    2,
    '4 years',
    'Diarrhoea since noon, drinks and plays.',
    'routine',
    'hours',
    'Boiled chicken and rice in small meals. Call again if there is blood.',
  ],
  [
    21,
    1330,
    6,
    'Karen Olivier',
    'Whisper',
    2,
    2,
    '13 years',
    'Suddenly can’t use her back legs and cries.',
    'emergency',
    'emergency',
    'Keep her warm and still in a box, and drive to the hospital now.',
  ],
  [
    24,
    1090,
    4,
    'Nokuthula Shezi',
    'Rex',
    1,
    1,
    '1 year',
    'A tick behind the ear. Can she pull it out?',
    'routine',
    'hours',
    'With tweezers, close to the skin. Watch for fever for a week.',
  ],
  [
    26,
    200,
    5,
    'Deon Fourie',
    'Shadow',
    1,
    1,
    '6 years',
    'Squints with one eye since a walk in long grass.',
    'urgent',
    'hours',
    'May be a seed under the lid. No rubbing, first appointment of the morning.',
  ],
  [
    29,
    1215,
    7,
    'Fatima Ismail',
    'Luna',
    2,
    2,
    '3 years',
    'Hasn’t eaten for two days since they moved house.',
    'soon',
    'hours',
    'A cat shouldn’t go longer without food. To be seen tomorrow.',
  ],
]

const CONTACTS = [
  { vetName: 'Dr Bongani Cele', contact: '+27835550151', email: 'kloofview@demo.vetchat.example' },
  { vetName: 'Dr Liesl Marais', contact: '+27835550152', email: 'kloofview@demo.vetchat.example' },
]
const after = (at: Date, minutes: number) => new Date(at.getTime() + minutes * MINUTE)

/** Phone consults of the last month for one clinic, which has confirmed all but the latest. */
export async function fillPhone(db: Db, clinicId: number, vetIds: readonly number[], now: Date) {
  const midnight = Math.floor(now.getTime() / DAY) * DAY
  const oldestFirst = CALLS.toSorted((a, b) => b[0] - a[0])
  const rows = oldestFirst.map(
    ([daysAgo, minute, minutes, name, pet, speciesId, sex, age, petIssue, , decision], at) => {
      const start = new Date(midnight - daysAgo * DAY + minute * MINUTE)
      const end = new Date(start.getTime() + minutes * MINUTE)
      const phone = `+2782555${String(200 + at).padStart(4, '0')}`
      return {
        type: 3 as const,
        region: 'za' as const,
        vetId: vetIds[at % vetIds.length]!,
        clinicId,
        caller: { name, phone, email: '', pet, speciesId, sex, age },
        petIssue,
        outcome: DECISIONS[decision],
        start,
        vetStart: start,
        end,
        clinicNotifiedAt: end,
        clinicAcceptedAt:
          daysAgo === 1 ? null : new Date(Math.min(end.getTime() + 7 * 60 * MINUTE, now.getTime())),
        demo: true,
      }
    },
  )
  const added = await db
    .insert(consultations)
    .values(rows)
    .returning({ id: consultations.id, vetId: consultations.vetId, end: consultations.end })
  await addPhoneRecords(
    db,
    added.map(({ id, vetId, end }, at) => {
      const [urgency, decision, advice] = oldestFirst[at]!.slice(9) as [Level, Decision, string]
      return { consultationId: id, vetId: vetId!, at: end!, urgency, decision, advice }
    }),
  )
  const called = added.filter((_, at) => oldestFirst[at]![10] === 'contact')
  await db.insert(escalations).values(
    called.map(({ id, end }, at) => ({
      consultationId: id,
      state: 'taken' as const,
      contacts: CONTACTS,
      place: at % 2,
      minutes: 5,
      step: at % 2 === 0 ? 2 : 4,
      startedAt: end!,
      answeredAt: after(end!, at % 2 === 0 ? 3 : 7),
    })),
  )
  await db.insert(escalationSteps).values(
    called.flatMap(({ id, vetId, end }, at) => {
      const step = (step: number, kind: StepKind, minutes: number, place: number, callStep?: number) => ({
        consultationId: id,
        step,
        kind,
        at: after(end!, minutes),
        place,
        ...(callStep !== undefined && { callStep }),
      })
      const first = { ...step(1, 'called', 0, 0), userId: vetId }
      return at % 2 === 0
        ? [first, step(2, 'acknowledged', 3, 0, 1)]
        : [first, step(2, 'missed', 5, 0, 1), step(3, 'called', 5, 1), step(4, 'acknowledged', 7, 1, 3)]
    }),
  )
}

/** What vets recorded of phone consults when they ended. */
export async function addPhoneRecords(
  db: Db,
  records: {
    consultationId: number
    vetId: number
    at: Date
    urgency: Level
    decision: Decision
    advice: string
  }[],
) {
  await db.insert(phoneConsults).values(
    records.map(({ consultationId, vetId, at, urgency, decision }) => ({
      consultationId,
      key: `demo-${consultationId}`,
      recordedBy: vetId,
      urgency,
      decision,
      recordedAt: at,
    })),
  )
  await db.insert(summaries).values(
    records.map(({ consultationId, vetId, at, advice }) => ({
      consultationId,
      vetId,
      at,
      summary: advice,
    })),
  )
}
