import type { Outcome } from '#contract/clinical.ts'
import type { Decision } from '#contract/phone.ts'
import type { Level } from '#contract/urgency.ts'
import type { ClinicName } from './clinics.ts'
import type { PersonName, PetName } from './people.ts'

/** A message: how many minutes after the start, who wrote it, and its words. */
export type Said = `${number} ${'owner' | 'vet'}: ${string}`

/** The demo's consultations: the queue, the history of owner@, and phone consultations for a clinic. */
export interface DemoConsultation {
  type: 1 | 2 | 3
  pet?: PetName
  caller?: { name: string; phone: string; email: string; pet: string; speciesId: number }
  /** Each issue is used once. */
  issue: string
  /** What the vet recorded of a phone consult. */
  phone?: { urgency: Level; decision: Decision; advice: string }
  startedMinutesAgo: number
  /** Minutes after the start. */
  takenAfter?: number
  endedAfter?: number
  vet?: PersonName
  /** Notified a minute after the end. */
  clinic?: ClinicName
  clinicAcceptedAfter?: number
  /** These follow the message that the vet joined. */
  messages?: Said[]
  /** The vet waits for the owner. */
  snoozed?: true
  /** The owner wrote after the end, and nobody has answered. */
  asksAgainAfter?: number
  /** The outcome that the vet signed. */
  ended?: Outcome
  summary?: { summary: string; plan: string; watchFor: string; goIf: string }
  rating?: { stars: number; words: string }
}

const HOURS = 60
const DAYS = 24 * HOURS

/** The single consult that owner@ bought before the membership. */
export const BOUGHT_ALONE = 'A bee stung Biscuit on the lip and it is swelling.'

export const CONSULTATIONS: DemoConsultation[] = [
  {
    type: 1,
    pet: 'Tigger',
    issue:
      'Tigger goes in and out of the litter box and strains, but nothing comes out. He has cried since this morning.',
    startedMinutesAgo: 4,
  },
  {
    type: 1,
    pet: 'Saffron',
    issue: 'Saffron has been licking her left back paw since this morning and won’t let me look at it.',
    startedMinutesAgo: 14,
    takenAfter: 2,
    vet: 'vet',
    snoozed: true,
    messages: [
      '2.6 vet: Hello Aisha, I’m Dr Naidoo. I’ve read your note about Saffron. Does she put weight on the paw?',
      '3.4 owner: She does, but she limps a little when she jumps off the couch.',
      '4.3 vet: Thank you. Could you look between her toes in good light and tell me what you see? Stop if it upsets her.',
      '7.1 owner: There is a small red spot between two toes. It looks a bit swollen but it isn’t bleeding.',
      '8 vet: That helps. Was she in long grass in the last few days? And has she had anything like it before?',
      '9 owner: She was in the garden yesterday, yes. This is the first time. I’ll try to take a photo.',
    ],
  },
  {
    type: 2,
    pet: 'Max',
    issue: 'Max ate about half a slab of milk chocolate off the table an hour ago. He seems fine so far.',
    startedMinutesAgo: 3 * HOURS,
    takenAfter: 3,
    endedAfter: 19,
    vet: 'vet2',
    messages: [
      '3.5 vet: Good day Sipho. I can see you, and Max looks lively. Do you still have the wrapper?',
      '4.2 owner: Yes, it was a 100 g slab, milk chocolate. He weighs 19 kg.',
      '16 vet: I’ll put what we agreed in your plan, so you can read it again tonight.',
      '17 owner: Thank you doctor, that is a relief.',
      '172 owner: He has just vomited once, brown foam. Do I still wait until the morning?',
    ],
    asksAgainAfter: 172,
    ended: 'home',
    summary: {
      summary:
        'Max weighs 19 kg and ate about 50 g of milk chocolate an hour before the call. At his weight this is less than the amount that usually causes harm. He was bright on video, breathed normally and his gums were pink.',
      plan: 'Leave water out, give a small plain supper and keep him quiet for the evening.',
      watchFor: 'Vomiting, diarrhoea, restlessness or much more thirst than usual over the next 12 hours.',
      goIf: 'He trembles, cannot settle, collapses, or you find that it was dark chocolate or more than half the slab.',
    },
    rating: { stars: 5, words: 'Calm and clear, and we knew what to look out for during the night.' },
  },
  {
    type: 2,
    pet: 'Rex',
    issue: 'Rex tore a dewclaw on the fence. It bled a lot at first and he won’t let me touch it.',
    startedMinutesAgo: 15 * HOURS,
    takenAfter: 4,
    endedAfter: 26,
    vet: 'vet2',
    clinic: 'democlinic',
    clinicAcceptedAfter: 95,
    messages: [
      '5 vet: Hello Pieter. Let’s look at the paw together. Is there someone who can hold the phone?',
      '6 owner: My wife is here. The bleeding has almost stopped now.',
      '24 vet: Well done, both of you. With your permission, I’ll send the clinic my notes, and they can see Rex when they open.',
      '24.6 owner: Yes please, share it with them.',
    ],
    ended: 'own_vet',
    summary: {
      summary:
        'The dewclaw of the right front leg is torn halfway and still attached. The bleeding stopped under light pressure. Rex is otherwise well.',
      plan: 'Keep the clean bandage on and dry, keep him from licking it, and take him to Two Oaks Animal Clinic when it opens. The nail will probably have to be trimmed back there.',
      watchFor: 'Fresh blood through the bandage, swelling above it, or toes that feel cold.',
      goIf: 'The bleeding starts again and does not stop after ten minutes of steady pressure.',
    },
    rating: { stars: 5, words: 'The clinic already had the notes when we came in.' },
  },
  {
    type: 1,
    pet: 'Clover',
    issue: 'Clover has hardly touched her hay since yesterday evening and there are very few droppings.',
    startedMinutesAgo: 2 * DAYS + 2 * HOURS,
    takenAfter: 2,
    endedAfter: 15,
    vet: 'vet',
    messages: [
      '2.7 vet: Hello Sipho. A rabbit that stops eating needs attention quickly, so I’ll ask a few short questions.',
      '3.1 vet: When did you last see her eat anything at all, and is she sitting hunched up?',
      '4.5 owner: A bit of parsley this morning. She sits in the corner and doesn’t want to move much.',
      '5.6 vet: Is her belly soft or tight when you touch it gently?',
      '7.2 owner: It feels tighter than usual.',
      '9 vet: Then a clinic should see her today. Please don’t wait until tomorrow. Her gut may have slowed down, and that can be treated well when it is found early.',
      '10.2 owner: We can leave in half an hour. Should I bring food?',
      '11 vet: Yes, take her hay and greens, keep her warm on the way, and ask for someone who sees rabbits often.',
    ],
    ended: 'sent_in',
    summary: {
      summary:
        'Clover has eaten almost nothing for about a day, passes few droppings, sits hunched and has a tight belly. This fits a gut that has slowed down, which is urgent in a rabbit.',
      plan: 'See a clinic that treats rabbits today. Take hay and her usual greens along and keep her warm.',
      watchFor: 'No droppings at all, grinding of the teeth, or a belly that grows.',
      goIf: 'She becomes limp or cold, or breathes with difficulty: go at once to the nearest open clinic.',
    },
    rating: { stars: 4, words: 'She is eating again. Thank you for being so direct.' },
  },
  {
    type: 2,
    pet: 'Mielie',
    issue:
      'A white skin has been covering part of Mielie’s left eye since this morning. She keeps blinking with that eye.',
    startedMinutesAgo: 18 * DAYS + 5 * HOURS,
    takenAfter: 3,
    endedAfter: 21,
    vet: 'vet2',
    messages: [
      '3.8 vet: Good evening Thandi. Please hold her so the light comes from the side. That’s perfect.',
      '19 vet: You did that very well. Your plan says what to look for tomorrow.',
      '20 owner: Thank you, doctor.',
    ],
    ended: 'own_vet',
    summary: {
      summary:
        'The third eyelid of the left eye shows, the eye is a little red and she blinks more than usual. The pupils are even, and the surface of the eye looked clear on video. A small scratch is likely.',
      plan: 'Have the eye stained and checked at your clinic tomorrow. Until then wipe it with clean lukewarm water only and keep her from rubbing it. No drops that were meant for another problem.',
      watchFor: 'Yellow discharge, a cloudy surface, or the eye kept fully shut.',
      goIf: 'The eye turns blue or cloudy, looks larger than the other one, or she seems in strong pain.',
    },
    rating: { stars: 5, words: 'It was a scratch. Caught early, healed in a week.' },
  },
  {
    type: 1,
    pet: 'Biscuit',
    issue: 'Biscuit limps on his right front leg after a run on the beach.',
    startedMinutesAgo: 41 * DAYS + 9 * HOURS,
    takenAfter: 5,
    endedAfter: 23,
    vet: 'vet',
    messages: [
      '5.6 vet: Hello Thandi. Poor Biscuit. Does he put the foot down, or does he carry it?',
      '6.4 owner: He puts it down but he is careful with it. He ate his breakfast.',
      '7.5 vet: Good signs. Please press gently along the leg from the toes up. Where does he pull away?',
      '11 owner: Only at the pads. There’s a small cut on the big one. I hadn’t seen it.',
      '12.2 vet: Then we’ve found it. Is there still sand or shell in it, and is it gaping?',
      '14 owner: I rinsed it. It’s clean, about half a centimetre long, and it isn’t gaping.',
      '15.4 vet: That can heal at home. I’ll write down how to look after it.',
    ],
    ended: 'home',
    summary: {
      summary:
        'A shallow cut of about half a centimetre on the main pad of the right front paw. It is clean and has closed on its own. He walks on the leg and eats normally.',
      plan: 'Rinse with lukewarm water twice a day, pat dry, and cover it with a clean sock on walks. Short walks on the lead on grass for a week. No beach until it has closed.',
      watchFor: 'Swelling, a bad smell, discharge, or licking that he does not stop.',
      goIf: 'He stops using the leg, or the cut opens and bleeds for more than ten minutes.',
    },
    rating: { stars: 5, words: 'Saved us a long drive on a Sunday morning.' },
  },
  {
    type: 1,
    pet: 'Nala',
    issue: 'Nala chewed up half a sock and I think she swallowed a piece.',
    startedMinutesAgo: 96 * DAYS + 3 * HOURS,
    takenAfter: 2,
    endedAfter: 18,
    vet: 'vet',
    messages: [
      '2.5 vet: Hello Thandi. How large is the missing piece, and how long ago was this?',
      '3.6 owner: About the size of my thumb, twenty minutes ago. She’s behaving normally.',
      '5 vet: Please don’t try to make her vomit at home. Because it is so recent, a clinic can decide whether to bring it up safely. Can you get to one within the hour?',
      '6 owner: Yes, ours is open until six.',
      '7.1 vet: Good. I’ll send you my notes so you can show them there.',
    ],
    ended: 'sent_in',
    summary: {
      summary:
        'Nala swallowed a piece of sock about the size of a thumb, twenty minutes before the consultation. She had no signs of trouble at that time.',
      plan: 'Go to your clinic within the hour and show these notes. No food until she has been seen. Do not make her vomit at home.',
      watchFor: 'Over the next three days: vomiting, no appetite, a sore belly, or straining without result.',
      goIf: 'She vomits more than once, cannot keep water down, or becomes listless.',
    },
    rating: { stars: 5, words: 'They brought it up at the clinic. We now keep the washing behind a door.' },
  },
  {
    type: 1,
    pet: 'Mielie',
    issue: 'Mielie has been sneezing for three days.',
    startedMinutesAgo: 173 * DAYS + 10 * HOURS,
    takenAfter: 4,
    endedAfter: 20,
    vet: 'vet2',
    messages: [
      '4.6 vet: Good morning Thandi. Is there any discharge from her nose or eyes, and what colour is it?',
      '6 owner: A little from the nose, clear like water. Her eyes look fine. She’s eating well.',
      '7.2 vet: Is she up to date with her vaccinations, and has she met other cats lately?',
      '8.3 owner: Vaccinated in March. The neighbour’s kitten visits us now.',
      '10 vet: That explains it well. I expect it’s a mild cold that will pass on its own within a week.',
    ],
    ended: 'home',
    summary: {
      summary:
        'Sneezing for three days with clear discharge from the nose. Appetite, eyes and breathing are normal, and her vaccinations are up to date. A mild cold is likely.',
      plan: 'Wipe her nose with a damp cloth, offer warm and strong-smelling food, and keep her indoors for a few days.',
      watchFor: 'Yellow or green discharge, sore eyes, or no appetite for a day.',
      goIf: 'She breathes with an open mouth or has not eaten for 24 hours.',
    },
  },
  {
    type: 2,
    pet: 'Biscuit',
    issue: BOUGHT_ALONE,
    startedMinutesAgo: 253 * DAYS + 4 * HOURS,
    takenAfter: 6,
    endedAfter: 27,
    vet: 'vet',
    messages: [
      '6.5 vet: Hello Thandi. Is he breathing normally, and is the swelling only on the lip?',
      '8 owner: Yes, he’s breathing fine. Only the lip, about the size of a grape.',
      '12 vet: My connection dropped, sorry. Hold something cold to it and look for the sting in the skin.',
      '15 owner: I found a small black dot and scraped it out.',
      '18 vet: Well done. It should be smaller in two hours.',
    ],
    ended: 'home',
    summary: {
      summary: 'A bee sting on the upper lip, no more than an hour old. Breathing and gums are normal.',
      plan: 'Hold something cold to it for five minutes, three times today. Let him drink and rest.',
      watchFor: 'Swelling that goes up to the eyes, hives, or vomiting.',
      goIf: 'He breathes with effort, his gums turn pale, or he collapses.',
    },
  },
  {
    type: 3,
    caller: {
      name: 'Marius Jacobs',
      phone: '083 555 0131',
      email: 'marius.jacobs@demo.vetchat.example',
      pet: 'Luna',
      speciesId: 2,
    },
    issue: 'Luna came home last night with a swollen cheek and does not want to eat.',
    phone: {
      urgency: 'soon',
      decision: 'hours',
      advice:
        'Probably an abscess after a fight with another cat. Comfortable for now and drinking. Advised to be seen this morning, clinic told.',
    },
    startedMinutesAgo: 2 * HOURS,
    takenAfter: 0,
    endedAfter: 9,
    vet: 'vet2',
    clinic: 'democlinic',
  },
  {
    type: 3,
    caller: {
      name: 'Nomsa Zulu',
      phone: '072 555 0132',
      email: 'nomsa.zulu@demo.vetchat.example',
      pet: 'Bullet',
      speciesId: 1,
    },
    issue: 'Bullet has had diarrhoea since the afternoon after eating from the rubbish bin.',
    phone: {
      urgency: 'routine',
      decision: 'hours',
      advice:
        'Bright, drinks and has not vomited. Small plain meals and plenty of water, to be seen in opening hours if it continues or if there is blood.',
    },
    startedMinutesAgo: 6 * DAYS + 13 * HOURS,
    takenAfter: 0,
    endedAfter: 7,
    vet: 'vet',
    clinic: 'kloof',
    clinicAcceptedAfter: 600,
  },
  {
    type: 3,
    caller: {
      name: 'Charl Venter',
      phone: '084 555 0133',
      email: 'charl.venter@demo.vetchat.example',
      pet: 'Oreo',
      speciesId: 4,
    },
    issue: 'Oreo’s front teeth look too long and he drops his food.',
    phone: {
      urgency: 'soon',
      decision: 'hours',
      advice:
        'Teeth need to be checked and probably trimmed. Soft greens until then. Appointment advised within two days.',
    },
    startedMinutesAgo: 23 * DAYS + 14 * HOURS,
    takenAfter: 0,
    endedAfter: 11,
    vet: 'vet2',
    clinic: 'kloof',
    clinicAcceptedAfter: 540,
  },
]
