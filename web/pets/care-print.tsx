import { CARE_REVIEWED_BY } from '#contract/care.ts'
import type { Pet } from '#contract/pets.ts'
import { ageOf, ageSaid, day } from '../lib/dates.ts'
import { say } from '../ui/say.ts'
import { planOf, today } from './care-words.ts'
import { speciesOf } from './pet-face.tsx'

const LINES = 4

/** Printed instead of the page: one sheet per pet to take to a vet. */
export const CarePrint = ({ pets }: { pets: Pet[] }) => (
  <div
    data-printed
    className="hidden bg-[#fff] text-14 text-[#000] [--color-green:#000] [--color-ink:#000] [--color-line:#999] print:block"
  >
    {pets.map((pet) => (
      <Sheet key={pet.id} pet={pet} />
    ))}
  </div>
)

function Sheet({ pet }: { pet: Pet }) {
  const facts = [
    speciesOf(pet.species_id).name,
    pet.breed?.name,
    pet.dob_approximate
      ? ageSaid(pet)
      : pet.dob && say('born {day} ({age})', { day: day(pet.dob).replace(/^\w+ /, ''), age: ageOf(pet.dob) }),
    pet.sex && (pet.sex === 1 ? say('male') : say('female')),
    pet.desexed && say('desexed'),
    pet.microchip && say('microchip {number}', { number: pet.microchip }),
  ].filter(Boolean)
  return (
    <section className="stack gap-5 not-last:break-after-page">
      <div className="flex items-center justify-between gap-4">
        <p className="flex items-center gap-2.5 text-22 font-bold">
          <img src="/logo-mark.svg" alt="" width={32} height={32} />
          VetChat
        </p>
        <p>{say('Printed {day}', { day: day(today()) })}</p>
      </div>
      <div>
        <h2 className="t28">{say('Care plan for {name}', { name: pet.name })}</h2>
        <p>{facts.join(', ')}</p>
      </div>
      <table className="w-full table-fixed border-collapse text-left">
        <thead>
          <tr>
            {[say('What'), say('How often'), say('Last done'), say('Due'), say('Done on')].map((head) => (
              <th key={head} className="border-b-2 border-current py-2 pr-3 font-semi">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {planOf(pet).map(({ item, name, often, next, last }) => (
            <tr key={item} className="break-inside-avoid">
              <th className="border-b border-line py-3 pr-3 font-semi">{name}</th>
              <td className="border-b border-line py-3 pr-3 first-letter:uppercase">{often}</td>
              <td className="border-b border-line py-3 pr-3">
                {last?.done_on ? day(last.done_on) : say('Not yet')}
              </td>
              <td className="border-b border-line py-3 pr-3">
                {next ? day(next.due_on) : say('Nothing due')}
              </td>
              <td aria-label={say('To fill in')} className="border-b border-line py-3" />
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <h3 className="t16">{say('What your vet says')}</h3>
        {Array.from({ length: LINES }, (_, line) => (
          <div key={line} className="h-9 border-b border-line" />
        ))}
      </div>
      <p>
        {CARE_REVIEWED_BY
          ? say('Reviewed by {vet}.', { vet: CARE_REVIEWED_BY })
          : say('A general plan based on species and age, not yet reviewed by a vet.')}{' '}
        {say('Your own vet knows your pet. Follow their advice.')}
      </p>
    </section>
  )
}
