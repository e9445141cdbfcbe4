import type { StepKind } from '#contract/escalation.ts'
import { type Decision, DECISIONS } from '#contract/phone.ts'
import { addMinutes, DAY, MINUTE } from '#contract/time.ts'
import type { Level } from '#contract/urgency.ts'
import type { Db } from '../client.ts'
import { consultations, escalations, escalationSteps, phoneConsults, summaries } from '../schema.ts'

interface Call {
  /** `minute` counts from midnight UTC: 1240 is 22:40 in South Africa. */
  when: { daysAgo: number; minute: number; lasted: number }
  caller: { name: string; pet: string; speciesId: number; sex: 1 | 2; age: string }
  problem: string
  urgency: Level
  decision: Decision
  advice: string
}

/** A month of nights at one clinic. */
const CALLS: Call[] = [
  {
    when: { daysAgo: 1, minute: 1275, lasted: 6 },
    caller: { name: 'Thandiwe Ngcobo', pet: 'Simba', speciesId: 2, sex: 1, age: '4 years' },
    problem: 'In and out of the litter box since supper, crying. No urine that she has seen.',
    urgency: 'emergency',
    decision: 'contact',
    advice: 'May be blocked. Must be seen tonight. Nothing by mouth, no pressing on the belly.',
  },
  {
    when: { daysAgo: 2, minute: 1190, lasted: 4 },
    caller: { name: 'Craig Naidoo', pet: 'Roxy', speciesId: 1, sex: 2, age: '7 years' },
    problem: 'Ate half a loaf of bread with raisins an hour ago.',
    urgency: 'urgent',
    decision: 'emergency',
    advice: 'Raisins can harm the kidneys. Go in now and take the packet along.',
  },
  {
    when: { daysAgo: 4, minute: 1020, lasted: 5 },
    caller: { name: 'Sipho Cele', pet: 'Zeus', speciesId: 1, sex: 1, age: '3 years' },
    problem: 'Scratching his ear since the weekend, shakes his head.',
    urgency: 'routine',
    decision: 'hours',
    advice: 'Don’t clean the ear. Book for this week.',
  },
  {
    when: { daysAgo: 5, minute: 240, lasted: 7 },
    caller: { name: 'Annelise Botha', pet: 'Minki', speciesId: 2, sex: 2, age: '11 years' },
    problem: 'Drinks a lot and has lost weight over the last two months.',
    urgency: 'soon',
    decision: 'hours',
    advice: 'Needs blood and urine tests. Bring a fresh urine sample if you can.',
  },
  {
    when: { daysAgo: 7, minute: 1330, lasted: 5 },
    caller: { name: 'Bheki Dlamini', pet: 'Tyson', speciesId: 1, sex: 1, age: '2 years' },
    problem: 'Limps on a hind leg after playing, puts it down now and then.',
    urgency: 'soon',
    decision: 'hours',
    advice: 'Rest on a lead until he is seen. No human painkillers.',
  },
  {
    when: { daysAgo: 8, minute: 1110, lasted: 3 },
    caller: { name: 'Priya Govender', pet: 'Coco', speciesId: 1, sex: 2, age: '9 months' },
    problem: 'Vomited twice after the braai, otherwise lively.',
    urgency: 'soon',
    decision: 'hours',
    advice: 'Small sips of water, a bland meal in the morning. Call again if she vomits once more.',
  },
  {
    when: { daysAgo: 10, minute: 60, lasted: 8 },
    caller: { name: 'Hennie Smit', pet: 'Bruno', speciesId: 1, sex: 1, age: '8 years' },
    problem: 'Tries to vomit and nothing comes, belly tight as a drum.',
    urgency: 'emergency',
    decision: 'contact',
    advice: 'Sounds like bloat: minutes count. Drive now, we called ahead.',
  },
  {
    when: { daysAgo: 12, minute: 1200, lasted: 4 },
    caller: { name: 'Lindiwe Khumalo', pet: 'Pepper', speciesId: 2, sex: 2, age: '6 years' },
    problem: 'A small cut on the paw, it stopped bleeding.',
    urgency: 'routine',
    decision: 'hours',
    advice: 'Rinse with salt water, keep her inside tonight.',
  },
  {
    when: { daysAgo: 13, minute: 1300, lasted: 6 },
    caller: { name: 'Ashwin Pillay', pet: 'Max', speciesId: 1, sex: 1, age: '10 years' },
    problem: 'Coughs at night since Monday and tires on walks.',
    urgency: 'soon',
    decision: 'hours',
    advice: 'Have his heart and chest checked within two days. Come at once if his gums turn grey.',
  },
  {
    when: { daysAgo: 15, minute: 1165, lasted: 5 },
    caller: { name: 'Mandla Zungu', pet: 'Nala', speciesId: 2, sex: 2, age: '2 years' },
    problem: 'In labour for five hours, two kittens, still straining without a third.',
    urgency: 'urgent',
    decision: 'contact',
    advice: 'Straining without a kitten for this long needs a vet tonight.',
  },
  {
    when: { daysAgo: 17, minute: 30, lasted: 4 },
    caller: { name: 'Wendy Clark', pet: 'Biscuit', speciesId: 1, sex: 1, age: '5 years' },
    problem: 'Bee sting on the lip, swollen, breathing normally.',
    urgency: 'soon',
    decision: 'hours',
    advice: 'Cool it with a wet cloth. Go in straight away if the swelling reaches the throat.',
  },
  {
    when: { daysAgo: 19, minute: 1245, lasted: 5 },
    caller: { name: 'Themba Mthembu', pet: 'Bella', speciesId: 1, sex: 2, age: '4 years' },
    problem: 'Diarrhoea since noon, drinks and plays.',
    urgency: 'routine',
    decision: 'hours',
    advice: 'Boiled chicken and rice in small meals. Call again if there is blood.',
  },
  {
    when: { daysAgo: 21, minute: 1330, lasted: 6 },
    caller: { name: 'Karen Olivier', pet: 'Whisper', speciesId: 2, sex: 2, age: '13 years' },
    problem: 'Suddenly can’t use her back legs and cries.',
    urgency: 'emergency',
    decision: 'emergency',
    advice: 'Keep her warm and still in a box, and drive to the hospital now.',
  },
  {
    when: { daysAgo: 24, minute: 1090, lasted: 4 },
    caller: { name: 'Nokuthula Shezi', pet: 'Rex', speciesId: 1, sex: 1, age: '1 year' },
    problem: 'A tick behind the ear. Can she pull it out?',
    urgency: 'routine',
    decision: 'hours',
    advice: 'With tweezers, close to the skin. Watch for fever for a week.',
  },
  {
    when: { daysAgo: 26, minute: 200, lasted: 5 },
    caller: { name: 'Deon Fourie', pet: 'Shadow', speciesId: 1, sex: 1, age: '6 years' },
    problem: 'Squints with one eye since a walk in long grass.',
    urgency: 'urgent',
    decision: 'hours',
    advice: 'May be a seed under the lid. No rubbing, first appointment of the morning.',
  },
  {
    when: { daysAgo: 29, minute: 1215, lasted: 7 },
    caller: { name: 'Fatima Ismail', pet: 'Luna', speciesId: 2, sex: 2, age: '3 years' },
    problem: 'Hasn’t eaten for two days since they moved house.',
    urgency: 'soon',
    decision: 'hours',
    advice: 'A cat shouldn’t go longer without food. To be seen tomorrow.',
  },
]

const CONTACTS = [
  { vetName: 'Dr Bongani Cele', contact: '+27835550151', email: 'kloofview@demo.vetchat.example' },
  { vetName: 'Dr Liesl Marais', contact: '+27835550152', email: 'kloofview@demo.vetchat.example' },
]
const after = (at: Date, minutes: number) => addMinutes(at, minutes)

/** Phone consults of the last month for one clinic, which has confirmed all but the latest. */
export async function fillPhone(db: Db, clinicId: number, vetIds: readonly number[], now: Date) {
  const midnight = Math.floor(now.getTime() / DAY) * DAY
  const oldestFirst = CALLS.toSorted((a, b) => b.when.daysAgo - a.when.daysAgo)
  const rows = oldestFirst.map(({ when: { daysAgo, minute, lasted }, caller, problem, decision }, at) => {
    const start = new Date(midnight - daysAgo * DAY + minute * MINUTE)
    const end = after(start, lasted)
    return {
      type: 3 as const,
      region: 'za' as const,
      vetId: vetIds[at % vetIds.length]!,
      clinicId,
      caller: { ...caller, phone: `+2782555${String(200 + at).padStart(4, '0')}`, email: '' },
      petIssue: problem,
      outcome: DECISIONS[decision],
      start,
      vetStart: start,
      end,
      clinicNotifiedAt: end,
      clinicAcceptedAt:
        daysAgo === 1 ? null : new Date(Math.min(after(end, 7 * 60).getTime(), now.getTime())),
      demo: true,
    }
  })
  const added = await db
    .insert(consultations)
    .values(rows)
    .returning({ id: consultations.id, vetId: consultations.vetId, end: consultations.end })
  await addPhoneRecords(
    db,
    added.map(({ id, vetId, end }, at) => {
      const { urgency, decision, advice } = oldestFirst[at]!
      return { consultationId: id, vetId: vetId!, at: end!, urgency, decision, advice }
    }),
  )
  const called = added.filter((_, at) => oldestFirst[at]!.decision === 'contact')
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
