import { PROMISED_MINUTES } from '#contract/consultations.ts'
import type { Currency, Region } from '#contract/regions.ts'
import { type Sentence, sentence } from '../ui/say.ts'

/** The words that differ by region. Facts and prices are in `contract/regions.ts`. */
interface RegionWords {
  footer: Sentence
  whenOpen: string
  /** How soon a vet joins, and when. */
  within: string
  home: {
    /** The second of the three mustn't wrap. */
    hero: [string, string, string]
    proof: string
    hours: [title: string, words: string]
  }
  law: {
    privacy: string
    consumer: string
    authority: string
    coolingOff: string
    court: string
    complaint: string
  }
}

export const REGION_WORDS: Record<Region, RegionWords> = {
  za: {
    footer: sentence('South African vets by text and video, day and night.'),
    whenOpen: 'at any hour of the day and night',
    within: `Within ${PROMISED_MINUTES} minutes, at any hour.`,
    home: {
      hero: ['Video call a', 'South African vet 24/7,', 'wherever you are'],
      proof: 'Registered with the SA Veterinary Council',
      hours: ['Awake when you are', 'Nights, Sundays, public holidays. From Musina to Muizenberg.'],
    },
    law: {
      privacy: 'the Protection of Personal Information Act (POPIA)',
      consumer: 'the Consumer Protection Act',
      authority: 'the Information Regulator of South Africa',
      coolingOff:
        'If the Consumer Protection Act gives you a cooling-off period after direct marketing, you keep that right.',
      court: 'South African law applies, and the courts of South Africa have jurisdiction.',
      complaint: 'the South African Veterinary Council',
    },
  },
  au: {
    footer: sentence('Australian vets by text and video, from early morning to midnight.'),
    whenOpen: 'from 6am to midnight in Sydney',
    within: `Within ${PROMISED_MINUTES} minutes, from 6am to midnight in Sydney.`,
    home: {
      hero: ['Video call an', 'Australian vet,', 'wherever you are'],
      proof: 'Registered with an Australian veterinary board',
      hours: [
        'Long after clinics close',
        'From 6am to midnight in Sydney, on Sundays and public holidays too.',
      ],
    },
    law: {
      privacy: 'the Privacy Act 1988 and the Australian Privacy Principles',
      consumer: 'the Australian Consumer Law',
      authority: 'the Office of the Australian Information Commissioner',
      coolingOff:
        'Our services come with guarantees that can’t be excluded under the Australian Consumer Law, and nothing here takes them away.',
      court: 'The law of New South Wales applies, and its courts have jurisdiction.',
      complaint: 'the veterinary board of the state the vet is registered in',
    },
  },
}

/** Shows how to type an amount in this currency. */
export const AMOUNT_HELP: Record<Currency, Sentence> = {
  zar: sentence('In rand, for example 8 450.00'),
  aud: sentence('In dollars, for example 845.00'),
}
