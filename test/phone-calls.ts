let count = 0

/** A call about a cat, as a vet fills in the form for a clinic. */
export const phoneCall = (clinic: number, key = `call-${++count}`) => ({
  key,
  clinic,
  caller: 'Nokuthula Example',
  phone: '083 555 0142',
  pet: 'Whiskey',
  species: 2,
  sex: 1 as const,
  age: '5 years',
  query: 'No urine since 22:00',
  urgency: 'emergency' as const,
  advice: 'Keep him quiet',
  decision: 'contact' as const,
})
