/** Reading matter of the demo, newest last. Types: 1 eBooks, 2 Infographics, 3 Videos. */
interface DemoResource {
  title: string
  description: string
}

const EBOOKS: DemoResource[] = [
  {
    title: 'Your puppy’s first year',
    description:
      'Month by month: sleep, food, teeth, vaccinations and the first walk. With a page to fill in for your vet visits, and a short list of what is worth buying and what is not.',
  },
  {
    title: 'Bringing a kitten home',
    description:
      'How to prepare one quiet room, introduce the litter box, and let a kitten meet the family at its own pace. Includes the first vaccination dates and signs that a kitten is unwell.',
  },
  {
    title: 'Ticks in South Africa: a guide for dog owners',
    description:
      'Which ticks carry biliary and ehrlichiosis, where they are found in each season, and how to remove one. What the early signs look like, and why a tired dog with pale gums cannot wait.',
  },
  {
    title: 'Living with an older dog',
    description:
      'Stiff mornings, cloudy eyes and restless nights: what belongs to age and what can be treated. Small changes at home that make stairs, beds and walks easier.',
  },
  {
    title: 'The indoor cat',
    description:
      'A happy life behind closed doors needs places to climb, things to hunt and a window to watch. Ideas for a flat, for two cats, and for a cat that used to go out.',
  },
  {
    title: 'Feeding dogs and cats well',
    description:
      'How to read a label, how much is enough, and how to change food without an upset stomach. With honest answers about raw food, grain and table scraps.',
  },
  {
    title: 'First aid for pets',
    description:
      'Bleeding, burns, bee stings, choking and heatstroke: what to do in the first ten minutes, and what to leave to the clinic. Print the last page and keep it with your first aid box.',
  },
  {
    title: 'Rabbits and guinea pigs: more than a hutch',
    description:
      'Space, hay, company and teeth. How to tell that a small animal is in pain, and why one that stops eating has to be seen the same day.',
  },
  {
    title: 'Fireworks, thunder and fear of noise',
    description:
      'A plan that starts weeks before New Year’s Eve and a short one for tonight. How to build a safe corner, what helps in the moment, and when to ask a vet about medicine.',
  },
  {
    title: 'Travelling with your pet',
    description:
      'By car, by plane and across a border: what papers are needed, how to train for the carrier, and how to keep a pet cool and calm on a long road.',
  },
  {
    title: 'Itchy skin: finding out why',
    description:
      'Fleas, food, grass or something else? How vets narrow it down step by step, what you can note at home, and why the itch often comes back when treatment stops too early.',
  },
  {
    title: 'Saying goodbye',
    description:
      'How to judge quality of life, what happens on the day, and how to talk with children about it. Written with care, for one of the hardest decisions an owner makes.',
  },
]

const INFOGRAPHICS: DemoResource[] = [
  {
    title: 'Poisons in the home and garden',
    description:
      'One page for the fridge: chocolate, grapes, xylitol, onions, slug bait, lilies, rat poison and more, with the animals that each one harms.',
  },
  {
    title: 'Is it an emergency?',
    description:
      'Three columns: go now, call a vet today, and watch at home. Covers breathing, bleeding, vomiting, eyes, and trouble passing urine.',
  },
  {
    title: 'How to remove a tick',
    description:
      'Four drawings from finding the tick to checking the skin a week later, and two old tricks that make it worse.',
  },
  {
    title: 'What healthy gums look like',
    description:
      'Pink, pale, blue, yellow and brick red side by side, and what each colour can mean. With the two-second test that vets do first.',
  },
  {
    title: 'Vaccination calendar for dogs and cats',
    description:
      'From six weeks to old age: which vaccination is due when, which ones the law asks for, and which depend on where you live.',
  },
  {
    title: 'How much water is normal?',
    description:
      'A chart by body weight, and how to measure for a day. Both much more and much less than usual are worth telling a vet.',
  },
  {
    title: 'Body shape chart for cats and dogs',
    description:
      'Seen from above and from the side: too thin, just right and too heavy. With the rib test that you can do in ten seconds.',
  },
  {
    title: 'Heatstroke: cool first, then go',
    description:
      'The early signs, the right way to cool a dog with tap water and moving air, and which breeds are in danger first.',
  },
  {
    title: 'Brushing teeth in two weeks',
    description:
      'One small step a day, from a finger on the lip to a full brush. What to use, and why toothpaste for people is not safe.',
  },
  {
    title: 'Reading a dog’s body language',
    description:
      'Relaxed, unsure, afraid and about to snap, in eight drawings. A good page to go through with children.',
  },
  {
    title: 'Reading a cat’s tail and ears',
    description: 'What a tail held high, low or puffed up says, and how ears and eyes complete the picture.',
  },
  {
    title: 'What to have ready for a video consult',
    description:
      'Good light, a helper, the weight, the medicines, and five photos worth taking before the vet joins.',
  },
]

const VIDEOS: DemoResource[] = [
  {
    title: 'Taking a pulse and counting breaths',
    description:
      'A vet shows where to feel for the pulse of a dog and a cat and how to count resting breaths, with normal numbers for both.',
  },
  {
    title: 'Giving a tablet to a cat',
    description:
      'Three calm ways, from hiding it in food to a quick and gentle hold, and what to do when the tablet comes back.',
  },
  {
    title: 'Giving a tablet to a dog',
    description:
      'For dogs that take everything and for those that eat around it. Which foods to avoid, and why to check with your vet before crushing.',
  },
  {
    title: 'Putting drops into an eye',
    description:
      'How to hold your pet without a struggle, where the drop should land, and how long to wait between two kinds.',
  },
  {
    title: 'Cleaning your dog’s ears',
    description:
      'How to fill, massage and wipe, what belongs in an ear and what does not, and when a smell means that a vet should look first.',
  },
  {
    title: 'Bandaging a paw',
    description:
      'A bandage that holds until the clinic opens: how tight is right, how to keep it dry, and the signs that it must come off.',
  },
  {
    title: 'Clipping claws without drama',
    description:
      'Finding the quick in light and dark nails, how much to take, and how to train for it so that nobody minds.',
  },
  {
    title: 'A safe way to lift an injured dog',
    description:
      'How to approach, when to use a muzzle, and two ways to carry a dog in pain with one helper or alone.',
  },
  {
    title: 'First days with a rescue dog',
    description: 'Rest, routine and short walks. What to expect in three days, three weeks and three months.',
  },
  {
    title: 'Teaching a cat to like its carrier',
    description:
      'Leave it out, feed in it, close it for a second. A week of small steps that makes every visit to the clinic easier.',
  },
  {
    title: 'Looking after a rabbit’s teeth and claws',
    description:
      'What to look at every week, how hay keeps teeth short, and when trimming is a job for the clinic.',
  },
  {
    title: 'How a VetChat consult works',
    description:
      'From the first question to the summary: how to start, what the vet will ask, and what happens after the consult.',
  },
]

export const RESOURCES = [EBOOKS, INFOGRAPHICS, VIDEOS].flatMap((list, index) =>
  list.map((resource) => ({
    ...resource,
    type: (index + 1) as 1 | 2 | 3,
    slug: resource.title
      .toLowerCase()
      .replaceAll('’', '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
  })),
)

/** Invented people and places, marked as demo: nobody said these words. */
export const TESTIMONIALS = [
  {
    kind: 'carer',
    name: 'Thandi, Cape Town',
    text: 'It was half past two in the morning and Biscuit would not stop shaking his head. A vet answered within minutes, looked at the photos and told us how to get through to the morning. She asked good questions and never made us feel silly for worrying.',
    rating: 5,
  },
  {
    kind: 'carer',
    name: 'Sipho, Johannesburg',
    text: 'We live an hour from the nearest clinic. Now we know which problems can wait until Saturday and which cannot.',
    rating: 5,
  },
  {
    kind: 'carer',
    name: 'Megan, Gqeberha',
    text: 'The summary after each consult is what I like best. I show it at our own clinic, and nobody has to guess what was said the night before. With three animals in the house that has saved us many phone calls.',
    rating: 4,
  },
  {
    kind: 'clinic',
    name: 'Dr Palesa Molefe, Two Oaks Animal Clinic',
    text: 'Our after-hours phone used to ring through the night. Now the calls that reach us are the ones that need us, and the notes are there before the patient is.',
    rating: 5,
  },
  {
    kind: 'clinic',
    name: 'Dr Bongani Cele, Kloof View Veterinary Practice',
    text: 'Clients are seen in opening hours with the history already taken. My team sleeps, and it shows in the work we do during the day. I would not want to go back to how it was before.',
    rating: 5,
  },
  {
    kind: 'clinic',
    name: 'Sister Anneke Louw, Bergsig Animal Hospital',
    text: 'The vets on the line are kind to our clients and careful about what they promise. When something is urgent they say so and call the right person.',
    rating: 4,
  },
] as const

/** Invented names. */
export const PARTNERS = [
  {
    name: 'Bluegum Pet Cover',
    blurb: 'Pet insurance. Policy holders talk to our vets as part of their cover.',
  },
  {
    name: 'Happy Tails Pet Stores',
    blurb: 'Food and care in 40 shops, with VetChat for members of the loyalty club.',
  },
  {
    name: 'Bergsig Animal Hospital',
    blurb: 'A hospital in the Boland that passes its night calls to our vets.',
  },
  { name: 'Two Oaks Animal Clinic', blurb: 'A clinic in Cape Town that works with our vets after hours.' },
  {
    name: 'Second Home Rescue',
    blurb: 'New owners of a rescued dog or cat start with three months of advice.',
  },
  { name: 'Little Trunk Breeders’ Circle', blurb: 'Breeders who send every puppy home with a vet to ask.' },
  {
    name: 'Stay and Play Boarding',
    blurb: 'Kennels and catteries that reach a vet at any hour for their guests.',
  },
  { name: 'Groundwork Employee Benefits', blurb: 'Offers VetChat to the staff of its member companies.' },
].map((partner, index) => ({ ...partner, url: `https://partner-${index + 1}.example` }))
