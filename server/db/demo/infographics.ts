import type { DemoResource } from './resource.ts'

export const INFOGRAPHICS: DemoResource[] = [
  {
    title: 'Poisons in the home and garden',
    picture: 'dog',
    about: 'One page for the fridge: what harms which pet, and what to do if it’s been eaten.',
    chapters: {
      'Never for dogs or cats': ['Chocolate, grapes, raisins', 'Onion, garlic', 'Xylitol in sweets and gum'],
      'Never near a cat': ['Lilies, every part of them', 'Dog tick products with permethrin', 'Paracetamol'],
      'Danger in the shed': ['Rat poison', 'Slug bait', 'Antifreeze'],
      'If it’s been eaten': [
        'Take the rest away and keep the wrapper.',
        'Note how much and when.',
        'Call a vet now. Do not make your pet vomit unless a vet says so.',
      ],
    },
  },
  {
    title: 'Is it an emergency?',
    picture: 'other',
    about: 'Go now, call a vet today, or watch at home: three lists to hold on to when you are worried.',
    chapters: {
      'Go now': [
        'Hard breathing, pale or blue gums',
        'Collapse, or a fit of more than five minutes',
        'Bleeding that does not stop',
        'Straining without passing urine',
        'A hard belly and retching',
      ],
      'Ask a vet today': [
        'Vomiting or diarrhoea more than twice',
        'Not eating for a day',
        'A closed or cloudy eye',
        'A limp that does not get better',
      ],
      'Watch at home': [
        'Vomited once, and bright again afterwards',
        'A small scratch that is clean',
        'Sneezing a few times a day',
      ],
    },
  },
  {
    title: 'How to remove a tick',
    picture: 'dog',
    about: 'From finding the tick to looking at the skin a week later.',
    chapters: {
      'Find it': ['Part the hair and hold the skin flat.', 'Ears, armpits, groin and toes first'],
      'Hold it': ['A tick hook or fine tweezers', 'As close to the skin as you can'],
      'Pull it': ['Slowly and straight, without a jerk', 'Turn a hook as you lift.'],
      'Never do this': ['No oil, no fire, no spirits on the tick', 'Do not press its body.'],
      'Look again': ['Clean the spot and note the day.', 'Dull, pale or weak in the next weeks? Ask a vet.'],
    },
  },
  {
    title: 'What healthy gums look like',
    picture: 'dog',
    about: 'Lift the lip: five colours and what each can mean.',
    chapters: {
      Pink: ['Healthy', 'Press: the colour is back within two seconds.'],
      Pale: ['Blood loss, shock or too few red cells', 'Go to a clinic.'],
      Blue: ['Too little oxygen', 'Go to a clinic at once.'],
      Yellow: ['Liver, or red cells that break down', 'A vet the same day'],
      'Brick red': ['Heatstroke or infection', 'Go to a clinic.'],
    },
  },
  {
    title: 'Vaccination calendar for dogs and cats',
    picture: 'cat',
    about: 'The usual ages. Your own vet sets the dates and knows what the law requires where you live.',
    chapters: {
      '6 to 8 weeks': ['The first vaccinations of puppies and kittens', 'The first treatment for worms'],
      '10 to 12 weeks': ['The second round', 'Rabies from 12 weeks where it is required'],
      '14 to 16 weeks': ['The third round', 'The first walks among other dogs two weeks later'],
      'One year': ['A booster for all of them'],
      'From then on': ['A visit each year; some vaccinations every third year'],
    },
  },
  {
    title: 'How much water is normal?',
    picture: 'cat',
    about: 'Measure for one day: both much more and much less are worth telling a vet.',
    chapters: {
      'Dogs, a day': ['5 kg: about 250 to 300 ml', '20 kg: about 1 to 1.2 litres', '40 kg: up to 2.4 litres'],
      'Cats, a day': ['4 kg: about 160 to 240 ml', 'Less with wet food, which is mostly water'],
      'How to measure': [
        'Fill to a mark in the morning.',
        'Note what you add and what is left next morning.',
      ],
      'Ask a vet soon': ['More than 100 ml for each kilogram', 'Almost nothing for a whole day'],
    },
  },
  {
    title: 'Body shape of cats and dogs',
    picture: 'cat',
    about: 'Your hands tell you more than your eyes, above all under a thick coat.',
    chapters: {
      'Too thin': ['Ribs, spine and hips stand out.', 'No fat to feel'],
      'Just right': [
        'You can feel the ribs under a thin cover, like the back of your hand.',
        'A waist from above, a tucked belly from the side',
      ],
      'Too heavy: be careful': [
        'Ribs are hard to find, like the palm of your hand.',
        'No waist; a pad at the base of the tail',
      ],
      'What helps': ['Weigh the food and your pet.', 'One to two percent of the weight a week is enough.'],
    },
  },
  {
    title: 'Heatstroke: cool first, then go',
    picture: 'dog',
    about: 'Minutes count. Begin to cool where you are, then drive.',
    chapters: {
      'See it now': ['Hard panting, thick drool', 'Dark red gums', 'Wobbly, vomiting, collapse'],
      'Cool it': ['Into the shade', 'Tap water over the whole body, and moving air', 'Small sips to drink'],
      'Never do this': ['No wet towel left lying on top', 'No ice bath for an old or ill dog'],
      'Then go': ['To the nearest clinic, with the windows open', 'Even if it looks better'],
      'Most at risk': ['Flat-faced, heavy, old, black-coated', 'Any dog in a parked car'],
    },
  },
  {
    title: 'Brushing teeth in two weeks',
    picture: 'dog',
    about: 'One small step at a time, each with something good afterwards.',
    chapters: {
      'Days 1 to 3': ['Lift the lip for a second, praise.'],
      'Days 4 to 6': ['A finger along the outer side of the teeth'],
      'Days 7 to 9': ['A finger with toothpaste for pets'],
      'Days 10 to 14': ['A soft brush, the large teeth first, half a minute a side'],
      'Never do this': ['No human toothpaste: it may contain xylitol.'],
    },
  },
  {
    title: 'Reading a dog’s body language',
    picture: 'dog',
    about: 'A good page to go through with children.',
    chapters: {
      Relaxed: ['Soft eyes, open mouth, a loose body', 'Tail swings low and wide'],
      Unsure: ['Licks lips, yawns, looks away', 'Weight on the back legs'],
      'Afraid: be careful': ['Tail tucked, ears back, small', 'Give room; do not reach out.'],
      'About to snap: back off now': ['Stiff and still', 'White of the eye, lifted lip, a low growl'],
    },
  },
  {
    title: 'Reading a cat’s tail and ears',
    picture: 'cat',
    about: 'What a tail says, and how ears and eyes complete it.',
    chapters: {
      'Tail straight up': ['Hello. You may stroke me.'],
      'Tail wrapped round': ['I am resting, or thinking about it.'],
      'Tail whips: be careful': ['Enough. Stop stroking.'],
      'Tail like a brush, ears flat: no': ['Frightened. Leave me a way out.'],
      'Slow blink': ['I trust you. Blink back.'],
    },
  },
  {
    title: 'What to have ready for a consult',
    picture: 'other',
    about: 'Five minutes of preparation makes the vet’s answer better.',
    chapters: {
      'What to say': [
        'What you saw and when it began',
        'Eating, drinking, toilet',
        'What is different from usual',
      ],
      'What to have beside you': [
        'The latest weight you have',
        'Medicines and their boxes',
        'The wrapper, if something was eaten',
      ],
      'What to show': [
        'One photo from close up, one from further away',
        'A short video of how it walks or breathes',
        'The gums, in daylight',
      ],
      'For video': ['Good light from the front', 'Somebody to hold, somebody to film'],
    },
  },
]
