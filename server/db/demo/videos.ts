import type { DemoResource } from './resource.ts'

/** Some have a film (scripts/films.ts). The others are slides made from their text. Newest last. */
export const VIDEOS: DemoResource[] = [
  {
    title: 'Giving a tablet to a cat',
    picture: 'cat',
    about: 'Three calm ways.',
    chapters: {
      'Ask first': ['Can it be crushed or given with food? Not every tablet can.'],
      'Hide it': ['In a small ball of soft food, after one without.'],
      'By hand': ['Cat with its back to you. Tilt the head, open with a finger, drop it far back.'],
      Afterwards: ['A little water or soft food, so that it does not stay in the throat.'],
      'It comes back': ['Do not give it twice without asking.'],
    },
  },
  {
    title: 'Putting drops into an eye',
    picture: 'dog',
    about: 'How to hold, where the drop lands and how long to wait.',
    chapters: {
      'Get ready': ['Wash your hands. Wipe the eye with a wet pad, away from the nose.'],
      'Hold softly': ['From behind, a hand under the chin.'],
      'One drop': ['From above, without touching the eye. A blink spreads it.'],
      'Two kinds': ['Wait five minutes; ointment comes last.'],
      'Ask a vet now': ['An eye that is shut, cloudy or hit by something.'],
    },
  },
  {
    title: 'Cleaning your dog’s ears',
    picture: 'dog',
    about: 'Fill, massage, wipe.',
    chapters: {
      'Look and smell': ['Red, sore or smelly: let a vet look first.'],
      Fill: ['Lift the ear, fill it with ear cleaner.'],
      Massage: ['Half a minute at the base, until it squelches. Then let your dog shake.'],
      Wipe: ['What you can reach with a pad round your finger. No cotton buds.'],
    },
  },
  {
    title: 'Bandaging a paw',
    picture: 'dog',
    about: 'A bandage that holds until the clinic opens.',
    chapters: {
      'Press first': ['Stop the bleeding with a clean pad for five minutes.'],
      Pad: ['A little cotton between the toes, then around the paw.'],
      Wrap: ['Gauze from the toes up, half over half, then a stretchy layer without pulling.'],
      'Two fingers': ['They must fit under it at the top.'],
      'Take it off now': ['Cold or swollen toes, wet, smelly, or your dog chews at it.'],
    },
  },
  {
    title: 'Clipping claws without drama',
    picture: 'cat',
    about: 'How much to take and how to train for it.',
    chapters: {
      'Train first': ['Hold a paw and give a treat. Do this for days before you clip.'],
      'Find the quick': ['The pink part in light claws. In dark ones take slivers until a grey dot shows.'],
      Clip: ['One or two claws a day are enough.'],
      'It bleeds': ['Press with flour or a pad for some minutes.'],
    },
  },
  {
    title: 'A safe way to lift an injured dog',
    picture: 'dog',
    about: 'How to come near and carry, alone or with help.',
    chapters: {
      'Come near': ['From the side, low, speaking. A hurt dog may bite.'],
      Muzzle: [
        'A soft band over the nose, crossed below, tied behind the ears. Not if it vomits or breathes hard.',
      ],
      Alone: ['One arm in front of the chest, one behind the thighs, the back kept straight.'],
      'With help': ['A blanket or board as a stretcher. Slide, do not lift by the legs.'],
    },
  },
  {
    title: 'First days with a rescue dog',
    picture: 'dog',
    about: 'Three days, three weeks, three months.',
    chapters: {
      'Three days': ['Rest. Few people, short walks, the same places.'],
      'Three weeks': ['Routine. Meals, walks and sleep at the same hours.'],
      'Three months': ['Now you meet the real dog. Begin to teach and to visit.'],
      'Ask a vet': ['A check-up in the first week: weight, teeth, worms, papers.'],
    },
  },
  {
    title: 'Teaching a cat to like its carrier',
    picture: 'cat',
    about: 'A week of small steps.',
    chapters: {
      'Leave it out': ['Open, with a blanket that smells of home.'],
      'Feed in it': ['At the door, then further in each day.'],
      'Close it': ['For a second, open, treat. Then longer.'],
      'Carry it': ['Round the room, then to the car, then a short drive.'],
    },
  },
  {
    title: 'Looking after a rabbit’s teeth and claws',
    picture: 'rabbit',
    about: 'What to look at every week.',
    chapters: {
      Hay: ['A pile as big as the rabbit itself each day. Chewing keeps teeth short.'],
      'Front teeth': ['They meet like scissors. Crooked or long: ask a vet.'],
      Claws: ['Clip before they curl, never into the pink.'],
      'Ask a vet today': ['Wet chin, dropping food, smaller droppings or none.'],
    },
  },
  {
    title: 'Taking a pulse and counting breaths',
    picture: 'dog',
    about: 'Two numbers that a vet always asks for.',
    hasFilm: true,
    chapters: {
      'Wait until your pet rests': ['Best when it sleeps. Panting does not count.'],
      'Count breaths': ['Watch the chest: up and down is one. Count for 30 seconds, times two.'],
      'Find the pulse': ['Two fingers flat inside the thigh, high up where it meets the belly.'],
      'Count the pulse': ['15 seconds, times four.'],
      'What is usual': ['Resting breaths: 15 to 30 a minute. Pulse: dogs 60 to 140, cats 140 to 220.'],
    },
  },
  {
    title: 'Giving a tablet to a dog',
    picture: 'dog',
    about: 'For dogs that take everything and for those that eat around it.',
    hasFilm: true,
    chapters: {
      'Ask first': ['With food or without? Whole or in parts?'],
      'Three bites': ['One without, one with the tablet, one without, quickly.'],
      'What to use': ['Soft meat or cheese. No peanut butter with xylitol.'],
      'By hand': ['Lift the upper jaw, place it at the back of the tongue, close, stroke the throat.'],
    },
  },
  {
    title: 'How a VetChat consult works',
    picture: 'other',
    about: 'From the first question to the plan in writing.',
    hasFilm: true,
    chapters: {
      'Tell us what’s wrong': ['Which pet, what you saw, when it started. It takes about two minutes.'],
      'Wait in the queue': ['You can see your place. You can close the page: we’ll email you.'],
      'Talk to the vet': ['Text with photos, or video. About 20 minutes.'],
      'Read the plan': ['What to do at home, what to watch for, when to go to a clinic.'],
      'A day later': ['We’ll ask how your pet is doing.'],
    },
  },
]
