import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { listVetCards } from '#contract/vets.ts'
import { pageMeta } from '../lib/meta.ts'
import { askOr, pageOf } from '../lib/page-request.ts'
import { IconTile, More, PageHead, useHere, usePrices, WorriedNow } from '../shell/page-parts.tsx'
import type { IconName } from '../ui/icon.tsx'
import { VetCards } from '../vets/vet-cards.tsx'

export const meta = () =>
  pageMeta(
    'About us and our vets',
    'Who answers when you write to VetChat, what they can do at a distance, and what they can’t.',
  )

/** The page is complete without the vets' cards. */
export const loader = ({ context }: LoaderFunctionArgs) => askOr(pageOf(context), listVetCards, {}, [])

export default function About() {
  const vets = useLoaderData<typeof loader>()
  const { regulator, whenOpen } = useHere()
  const { consult } = usePrices()
  const promises: [IconName, string, string][] = [
    [
      'stethoscope',
      'A vet, not a script',
      `The vet who joins you is registered with ${regulator}. You’ll see their name and registration number above the conversation, so you can look them up.`,
    ],
    [
      'clock',
      'There when it happens',
      `Pets fall ill after closing time. Our vets take turns on duty ${whenOpen}, and you can see your place in the queue while you wait.`,
    ],
    [
      'file-text',
      'Said plainly, and in writing',
      'What to do at home, what to watch for, and when to go to a clinic straight away. It’s yours to keep, to print, and to show your own vet.',
    ],
    [
      'shield-check',
      'Your pet’s record is yours',
      'You and the vets who treat your pet can open a consult. Each time our staff open it, it’s recorded, and you can see the list.',
    ],
  ]
  return (
    <>
      <PageHead
        title="A calm voice, and someone who knows"
        lead="VetChat is for the moment when your pet is unwell, the clinic is closed, and you need to know whether this can wait."
        scene="rabbit-and-child-hand"
      />
      <section className="section bg-paper-sunk">
        <div className="wrap">
          <h2 className="mb-8 t36 lg:mb-12">What you can count on</h2>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-8 md:grid-cols-2 lg:gap-12">
            {promises.map(([icon, title, words]) => (
              <li key={title} className="grid grid-cols-[48px_minmax(0,1fr)] gap-x-4 gap-y-1">
                <IconTile icon={icon} />
                <div className="stack gap-1">
                  <h3 className="t18">{title}</h3>
                  <p className="text-ink-soft">{words}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
      </section>
      {vets.length > 0 && (
        <section className="section pb-0!">
          <div className="wrap">
            <h2 className="mb-8 t36 lg:mb-12">Our vets</h2>
            <VetCards vets={vets} />
          </div>
        </section>
      )}
      <section className="section pb-0!">
        <div className="wrap grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-2 lg:gap-12">
          <div className="stack content-start gap-4">
            <h2 className="t36">What a vet can’t do at a distance</h2>
            <p className="text-ink-soft">
              Nobody can listen to a heart or feel a belly through a phone. Our vets tell you what they can
              see and what they can’t, and send you in when hands are needed. They don’t prescribe medicine
              for an animal they haven’t examined.
            </p>
            <More href="/how-it-works">What a chat is good for</More>
          </div>
          <div className="stack content-start gap-4">
            <h2 className="t36">Alongside your own vet</h2>
            <p className="text-ink-soft">
              We don’t replace the clinic that knows your pet. If you agree, the summary of a consult goes to
              them, so that the next visit picks up where we left off. Clinics can hand us their after-hours
              calls and get each case back in the morning.
            </p>
            <More href="/vet-clinic">For clinics</More>
          </div>
        </div>
      </section>
      <WorriedNow price={consult} />
    </>
  )
}
