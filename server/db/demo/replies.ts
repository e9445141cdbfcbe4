/** What a vet writes often, at hand in the room. */
export const CANNED_REPLIES = [
  {
    title: 'Hello',
    body: 'Hello, I am a vet at VetChat. I have read your note. A few quick questions first, so that I know how urgent this is.',
  },
  {
    title: 'How is it now?',
    body: 'How is your pet at this moment: alert, eating, drinking, and breathing normally?',
  },
  {
    title: 'Since when?',
    body: 'When did you first notice this, and has it got better, got worse or stayed the same?',
  },
  {
    title: 'Weight and medicines',
    body: 'What does your pet weigh, roughly, and does it get any medicine or supplement at the moment?',
  },
  {
    title: 'Photo',
    body: 'Could you take a photo in good light, one from close by and one that shows the whole animal? Stop if it upsets your pet.',
  },
  {
    title: 'Gums',
    body: 'Please lift the lip and look at the gums. Are they pink and moist, or pale, white, blue or very red?',
  },
  {
    title: 'Breathing',
    body: 'When your pet rests, please count the breaths for 30 seconds and tell me the number.',
  },
  {
    title: 'No human medicine',
    body: 'Please do not give any medicine that is meant for people. Some of it is dangerous for animals even in small amounts.',
  },
  {
    title: 'Go to a clinic now',
    body: 'From what you tell me, your pet should be seen by a clinic now. Please set out, and call ahead so that they can prepare.',
  },
  {
    title: 'Goodbye',
    body: 'I will send you a summary of what we agreed. If anything changes or worries you, write to us again at any hour.',
  },
]
