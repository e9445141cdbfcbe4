import type { AdviceName } from '#contract/content.ts'

/** The advice that every installation begins with. No vet has reviewed it until one marks it, so only the demo shows it. */
export const BUILT_IN_ADVICE: Record<AdviceName, { lines: string }> = {
  signs: {
    lines: [
      'Struggling to breathe, or pale or blue gums',
      'Collapsed, or can’t stand up',
      'Hit by a car, or fell from a height',
      'Bleeding that doesn’t stop after five minutes of pressure',
      'A seizure longer than five minutes, or several in a row',
      'Trying to pee and nothing comes',
      'A swollen, hard belly and retching with nothing coming up',
      'Snake bite, or rat poison eaten',
    ].join('\n'),
  },
  offline: {
    lines: [
      'Keep your pet quiet, and away from other animals and children.',
      'Press a clean cloth on any bleeding for five minutes, without lifting it to look.',
      'Don’t give human medicine, and don’t make your pet vomit.',
      'Take the wrapper or the plant with you if something was eaten.',
      'Phone a clinic if calls still work: that needs no data.',
    ].join('\n'),
  },
}
