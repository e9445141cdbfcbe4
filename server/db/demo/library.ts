import { EBOOKS } from './ebooks.ts'
import { INFOGRAPHICS } from './infographics.ts'
import { VIDEOS } from './videos.ts'

const slugOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll('’', '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The demo's resources, newest last. Types: 1 eBooks, 2 Infographics, 3 Videos. */
export const RESOURCES = [EBOOKS, INFOGRAPHICS, VIDEOS].flatMap((list, index) =>
  list.map(({ title, picture, about, chapters, hasFilm }) => {
    const slug = slugOf(title)
    return {
      type: (index + 1) as 1 | 2 | 3,
      title,
      slug,
      file: hasFilm ? `/films/${slug}.mp4` : '',
      featuredImage: hasFilm ? `/films/${slug}.jpg` : `/avatars/${picture}.svg`,
      description: [
        about,
        ...Object.entries(chapters).flatMap(([heading, points]) => [
          `# ${heading}`,
          ...points.map((point) => `- ${point}`),
        ]),
      ].join('\n'),
    }
  }),
)

/** How many of the oldest resources the demo's vet has reviewed. */
export const REVIEWED = 3

/** Invented testimonials, as their names show. They mention no place, because both regions show them. */
export const TESTIMONIALS = [
  {
    kind: 'carer',
    name: 'Thandi, Biscuit’s person (example)',
    image: '/avatars/dog.svg',
    text: 'It was half past eleven at night and Biscuit would not stop shaking his head. A vet answered within minutes, looked at the photos and told us how to get through to the morning. She asked good questions and never made us feel silly for worrying.',
    rating: 5,
  },
  {
    kind: 'carer',
    name: 'Sam, two cats (example)',
    image: '/avatars/cat.svg',
    text: 'We live an hour from the nearest clinic. Now we know which problems can wait until Saturday and which cannot.',
    rating: 5,
  },
  {
    kind: 'carer',
    name: 'Megan, a full house (example)',
    image: '/avatars/rabbit.svg',
    text: 'The summary after each consult is what I like best. I show it at our own clinic, and nobody has to guess what was said the night before. With three animals at home that has saved us many phone calls.',
    rating: 4,
  },
  {
    kind: 'clinic',
    name: 'Dr Molefe, Two Oaks Animal Clinic (example)',
    text: 'Our after-hours phone used to ring through the night. Now the calls that reach us are the ones that need us, and the notes are there before the patient is.',
    rating: 5,
  },
  {
    kind: 'clinic',
    name: 'Dr Cele, Hillside Veterinary Practice (example)',
    text: 'Clients are seen in opening hours with the history already taken. My team sleeps, and it shows in the work we do during the day. I would not want to go back to how it was before.',
    rating: 5,
  },
  {
    kind: 'clinic',
    name: 'Sister Louw, Riverside Animal Hospital (example)',
    text: 'The vets are kind to our clients and careful about what they promise. When something is urgent they say so and call the right person.',
    rating: 4,
  },
] as const

/** Invented names with addresses that don't exist. */
export const PARTNERS = [
  {
    name: 'Bluegum Pet Cover',
    blurb: 'Pet insurance. Policy holders talk to our vets as part of their cover.',
  },
  {
    name: 'Happy Tails Pet Stores',
    blurb: 'Food and care in 40 shops, with VetChat for members of the loyalty club.',
  },
  { name: 'Riverside Animal Hospital', blurb: 'A hospital that passes its night calls to our vets.' },
  { name: 'Two Oaks Animal Clinic', blurb: 'A clinic that works with our vets after hours.' },
  {
    name: 'Second Home Rescue',
    blurb: 'New owners of a rescued dog or cat start with three months of advice.',
  },
  { name: 'Little Trunk Breeders’ Circle', blurb: 'Breeders who send every puppy home with a vet to ask.' },
  {
    name: 'Stay and Play Boarding',
    blurb: 'Kennels and catteries that reach a vet for their guests.',
  },
  { name: 'Groundwork Employee Benefits', blurb: 'Offers VetChat to the staff of its member companies.' },
].map(({ name, blurb }, index) => ({
  name: `${name} (example)`,
  blurb,
  url: `https://partner-${index + 1}.example`,
}))
