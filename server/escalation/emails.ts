import { LEVEL_NAMES } from '#contract/urgency.ts'
import type { Letter } from '../mail/mail-template.ts'
import type { Asked } from './rules.ts'

export const contactLetter = (asked: Asked): Letter => {
  const { clinic, name, vet_name, caller, phone, pet, about, problem, advice, urgency, until, link } = asked
  return {
    subject: `${LEVEL_NAMES[urgency]} for ${clinic}: can you take ${pet}?`,
    parts: [
      `${name}, you’re the contact of ${clinic}. ${vet_name} took a call and asks whether you can take this case.`,
      {
        title: [pet, about].filter(Boolean).join(', '),
        says: `Owner: ${[caller, phone].filter(Boolean).join(', ')}`,
      },
      { title: 'Problem', says: problem },
      ...(advice === '' ? [] : [{ title: 'Told so far', says: advice }]),
      `Please answer ${until}. After that we call the next contact.`,
      { button: 'Answer the vet', to: link },
      { quiet: 'Opening the page doesn’t answer the vet; the buttons on it do. The link works for 2 hours.' },
    ],
  }
}
