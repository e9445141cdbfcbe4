import type { DemoResource } from './resource.ts'

export const EBOOKS: DemoResource[] = [
  {
    title: 'Your puppy’s first year',
    picture: 'dog',
    about: 'What to expect from eight weeks to the first birthday, and which few things matter most.',
    chapters: {
      'The first days': [
        'Let the puppy sleep where it can hear you. It has never slept alone.',
        'Keep the food it knows for two weeks, then change over seven days.',
        'Take it out after each sleep, each meal and each game, and praise it on the spot.',
      ],
      'Visits to your vet': [
        'Vaccinations come as a series, usually from six to eight weeks of age. Your vet sets the dates.',
        'Worms and fleas are treated by weight, so weigh before each dose.',
        'Ask about a microchip and about the right age for sterilising.',
      ],
      'Meeting the world': [
        'Show one new thing a day: a hat, a lift, a child, a quiet street.',
        'Stop while it is still fun. A frightened puppy learns fear.',
      ],
      'Ask a vet on the same day': [
        'Vomiting or diarrhoea more than twice, or any blood in it',
        'Not eating for one whole day, or for less than that if very small',
        'A round, hard belly, or a puppy that will not wake up properly',
      ],
    },
  },
  {
    title: 'Bringing a kitten home',
    picture: 'cat',
    about: 'One quiet room, a litter box and time: how a kitten settles in without fear.',
    chapters: {
      'Before it comes': [
        'Choose one room with a bed, water, food and a litter box far from the food.',
        'Block gaps behind appliances, and put away thread, ribbon and lilies.',
      ],
      'The first week': [
        'Sit on the floor and let the kitten come to you.',
        'Show it the litter box after each meal.',
        'Let other animals smell a blanket of the kitten’s before they meet.',
      ],
      'Health in the first months': [
        'Vaccinations begin at about eight weeks; your vet gives the dates.',
        'Watch weight, eyes and droppings. Small animals get ill quickly.',
      ],
      'Ask a vet on the same day': [
        'Not eating for twelve hours',
        'Sneezing with closed or sticky eyes',
        'Straining in the litter box',
      ],
    },
  },
  {
    title: 'Tick season: a guide for dog owners',
    picture: 'dog',
    about: 'Where ticks wait, how to find and remove them, and which signs cannot wait.',
    chapters: {
      'When and where': [
        'Most ticks are about in warm, damp months and in long grass.',
        'They climb on as a dog brushes past, and look for thin skin: ears, armpits, groin, between toes.',
      ],
      'Every day in the season': [
        'Run your fingers through the coat against the hair after each walk.',
        'Look into the ears and between the toes.',
        'Keep the tick treatment up to date. Never use a dog’s product on a cat.',
      ],
      'Taking one off': [
        'Hold it close to the skin with a tick hook or fine tweezers.',
        'Pull slowly and straight. Do not burn it or use oil.',
        'Clean the spot, and note the day.',
      ],
      'Go to a clinic now': [
        'Weak or wobbly back legs, or a changed bark',
        'Pale or yellow gums, dark urine',
        'Fast or hard breathing',
      ],
    },
  },
  {
    title: 'Living with an older dog',
    picture: 'dog',
    about: 'What comes with age, what can be treated, and small changes that make the days easier.',
    chapters: {
      'What changes': [
        'More sleep, a greyer muzzle and slower mornings are usual.',
        'Pain, thirst, weight loss and confusion are not just age. They can often be helped.',
      ],
      'At home': [
        'Put rugs on smooth floors and a step by the car.',
        'Three short walks are better than one long one.',
        'Check teeth, lumps and claws once a month and write down what you find.',
      ],
      'Ask a vet soon': [
        'Drinking much more than before',
        'Trouble getting up for more than a few days',
        'New lumps, or one that grows',
        'Walking about at night as if lost',
      ],
    },
  },
  {
    title: 'The indoor cat',
    picture: 'cat',
    about: 'Places to climb, things to hunt and a window to watch: a good life behind closed doors.',
    chapters: {
      'A room from a cat’s side': [
        'Height matters more than floor space: a shelf, a chair, a post at the window.',
        'One litter box for each cat and one more, in different places.',
        'Water away from food, in a wide bowl.',
      ],
      'Hunting without prey': [
        'Two games of ten minutes a day with a toy on a string, put away afterwards.',
        'Hide part of the dry food, so that it must be found.',
      ],
      'When something is wrong': [
        'Hiding, not washing or a wet patch outside the box are a cat’s way of saying so.',
        'A male cat that strains and passes nothing must be seen at once.',
      ],
    },
  },
  {
    title: 'Feeding dogs and cats well',
    picture: 'dog',
    about: 'How to read a label, how much is enough, and how to change food without an upset stomach.',
    chapters: {
      'How much': [
        'Begin with the amount on the bag for the weight your pet should have, not the weight it has.',
        'Weigh the food. A cup is never the same twice.',
        'Treats count: keep them below a tenth of the day’s food.',
      ],
      'What is in it': [
        'Look for the word complete: it means that nothing else is needed.',
        'A cat needs meat. Dog food is not enough for it.',
        'Raw food can carry germs to people. Ask before you begin.',
      ],
      'Never on the plate': [
        'Onion, garlic, grapes, raisins, chocolate, xylitol, alcohol',
        'Cooked bones, which splinter',
      ],
      'Changing food': ['A quarter of the new food for two days, then half, then three quarters, then all.'],
    },
  },
  {
    title: 'First aid for pets',
    picture: 'other',
    about: 'What to do in the first ten minutes, and what to leave to the clinic.',
    chapters: {
      'Before anything else': [
        'Keep yourself safe. An animal in pain may bite, even its own people.',
        'Phone the clinic on the way, so that they are ready.',
        'Don’t give human medicine. Some of it is deadly to pets.',
      ],
      Bleeding: [
        'Press with a clean cloth for five minutes, without lifting it to look.',
        'If it soaks through, put another on top and go.',
      ],
      Burns: ['Cool with running tap water for ten minutes or more. No ice, no butter.'],
      'Bee stings': [
        'Scrape the sting away and cool the place.',
        'A swelling face, hives or hard breathing: go now.',
      ],
      'Choking and collapse': [
        'Look into the mouth only if the animal is calm or not conscious.',
        'Not breathing and no heartbeat: press the chest 100 to 120 times a minute while someone drives.',
      ],
      'A box to have ready': [
        'Gauze, a stretchy bandage, tape, a tick hook, saline, a towel, a muzzle',
        'The numbers of your clinic and the one that is open at night',
        'Your pet’s weight and medicines on a card',
      ],
    },
  },
  {
    title: 'Rabbits and guinea pigs: more than a hutch',
    picture: 'rabbit',
    about: 'Space, hay, company and teeth: what small animals need and how they hide that they are ill.',
    chapters: {
      'Every day': [
        'Unlimited hay, fresh water, a handful of greens',
        'Room to run for a few hours, and a place to hide',
        'A friend of their own kind. A rabbit and a guinea pig are not company for each other.',
      ],
      'Every week': [
        'Weigh them. Weight loss is often the first sign.',
        'Look at the front teeth, the claws and the fur around the tail.',
      ],
      'Go to a clinic today': [
        'Not eating or no droppings for half a day',
        'A head that hangs to one side',
        'Wet fur under the tail in warm weather: flies lay eggs there',
      ],
    },
  },
  {
    title: 'Fireworks, thunder and fear of noise',
    picture: 'dog',
    about: 'A plan that starts weeks ahead, and a short one for tonight.',
    chapters: {
      Tonight: [
        'Walk early, close windows and curtains, put on music with a steady beat.',
        'Open the way to the place your pet chooses: a bath, a cupboard, under a bed.',
        'Stay calm and near. Comfort does not teach fear.',
        'Check collar, tag and microchip number. Many pets run away on nights like these.',
      ],
      'Weeks ahead': [
        'Play the noise so quietly that nothing happens, with something good to eat.',
        'A little louder every few days. Take a step back if your pet is afraid.',
        'Ask a vet about medicine in good time: it works best before the fear does.',
      ],
      'Never do this': ['Don’t give medicine of your own, and don’t leave a dog alone in the garden.'],
    },
  },
  {
    title: 'Travelling with your pet',
    picture: 'bird',
    about: 'By car, by plane and across a border: papers, carriers and a cool head.',
    chapters: {
      'In the car': [
        'Use a carrier or a harness that is strapped in. A loose dog flies forward in a crash.',
        'Water and a walk every two hours. Never leave a pet in a parked car.',
        'No large meal in the four hours before.',
      ],
      'Papers and planes': [
        'Ask the airline and the country months ahead: microchip, rabies vaccination and blood tests take time.',
        'Flat-faced breeds are often refused, because they struggle to breathe.',
      ],
      'What to take': [
        'Food for two days more than planned',
        'Medicines with their boxes, and the vaccination card',
        'The number of a clinic where you are going',
      ],
    },
  },
  {
    title: 'Itchy skin: finding out why',
    picture: 'cat',
    about: 'Fleas, food, grass or something else: how vets find the cause, step by step.',
    chapters: {
      'What to note down': [
        'When it began, and whether it comes with a season',
        'Where on the body: ears, paws, belly, base of the tail',
        'What was new: food, bed, shampoo, garden',
      ],
      'How vets go about it': [
        'Fleas and mites first, in every pet of the household, because they are the usual cause.',
        'Then skin infections, checked under a microscope.',
        'Then food: one new diet for eight weeks and nothing else.',
        'Only then are allergy tests useful.',
      ],
      'Ask a vet today': [
        'Skin that is hot, wet or smells',
        'Scratching that keeps your pet awake',
        'A swollen face',
      ],
    },
  },
  {
    title: 'Saying goodbye',
    picture: 'other',
    about: 'For one of the hardest decisions an owner makes: how to judge, what happens, and what may help.',
    chapters: {
      'How to judge': [
        'Name five things your pet loved. How many are left?',
        'Keep a calendar of good and bad days. More bad days than good tells you something.',
        'Ask a vet about pain. It can often be eased for a while.',
      ],
      'On the day': [
        'You may be there, or not. Both are love.',
        'An injection brings sleep, and a second one stops the heart. It takes minutes and does not hurt.',
        'Deep breaths or twitches afterwards are not signs of life.',
      ],
      'With children': [
        'Say dead, not asleep. Children take words as they are.',
        'Let them draw, bury something or light a candle.',
      ],
      Afterwards: ['Grief for an animal is grief. Take the time you need, and talk to someone.'],
    },
  },
]
