/** Saved replies that vets can insert in the room. */
export const CANNED_REPLIES = [
  {
    title: 'Hello',
    body: 'Hello {owner}, I’m {vet}. I’ve read what you wrote about {pet}. A few quick questions first, so I know how urgent this is.',
  },
  {
    title: 'How is it now?',
    body: 'How is {pet} right now: alert, eating, drinking, and breathing normally?',
  },
  {
    title: 'When did it start?',
    body: 'When did you first notice this, and has it got better, got worse or stayed the same?',
  },
  {
    title: 'Weight and medicines',
    body: 'What does {pet} weigh, roughly, and does {pet} get any medicine or supplement at the moment?',
  },
  {
    title: 'Photo',
    body: 'Could you take a photo in good light, one from close by and one that shows the whole animal? Stop if it upsets {pet}.',
  },
  {
    title: 'Gums',
    body: 'Please lift the lip and look at the gums. Are they pink and moist, or pale, white, blue or very red?',
  },
  {
    title: 'Breathing',
    body: 'When {pet} rests, please count the breaths for 30 seconds and tell me the number.',
  },
  {
    title: 'No human medicine',
    body: 'Please don’t give any human medicine. Some of it is dangerous to animals even in small amounts.',
  },
  {
    title: 'Go to a clinic now',
    body: 'From what you’ve told me, {pet} should be seen at a clinic now. Please set off for {open clinic}, and call ahead so they can get ready.',
  },
  {
    title: 'Goodbye',
    body: 'I’ll send you a summary of what we agreed. If anything changes or worries you, write to us again at any hour.',
  },
]
