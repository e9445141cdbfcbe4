import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { listClinicTestimonials, starsOf } from '#contract/library.ts'
import { measureDeferred } from '#contract/portal.ts'
import { Island } from '../lib/island.tsx'
import { pageMeta } from '../lib/meta.ts'
import { askOr, pageOf } from '../lib/page-request.ts'
import { isExample, plainName } from '../library/example.tsx'
import ClinicWords from '../library/clinic-words.island.tsx'
import { LinkButton } from '../ui/button.tsx'
import type { IconName } from '../ui/icon.tsx'
import { Scene } from '../ui/scene.tsx'
import { CallToAct, Checks, PageHead, useHere } from '../shell/page-parts.tsx'
import { Reason } from './reason.tsx'

export const meta = () =>
  pageMeta(
    'Clinic triage: after-hours calls answered by vets',
    'Hand your after-hours calls to registered vets and have each case back in the morning.',
  )

/** The page works without testimonials and figures: if they don't load, it's shown without them. */
export async function loader({ context }: LoaderFunctionArgs) {
  const page = pageOf(context)
  const [testimonials, measured] = await Promise.all([
    askOr(page, listClinicTestimonials, {}, []),
    askOr(page, measureDeferred, {}, null),
  ])
  return { testimonials, measured }
}

export default function VetClinic() {
  const { testimonials, measured } = useLoaderData<typeof loader>()
  const words = testimonials.map(({ name, details, rating }) => ({
    name: plainName(name),
    example: isExample(name),
    details,
    // An example has no stars, because nobody gave them.
    stars: rating === null || isExample(name) ? null : starsOf(rating),
  }))
  const { regulator, whenOpen } = useHere()
  const reasons: [IconName, string, string][] = [
    [
      'phone',
      'Fewer calls after hours',
      // We only claim what was measured.
      measured
        ? `${measured.percent} in 100 after-hours calls could wait for opening hours: measured over ${measured.calls} calls of ${measured.clinics === 1 ? 'a clinic' : `${measured.clinics} clinics`} in twelve weeks. Your portal counts yours.`
        : 'Your own vets are called only about what can’t wait. Your portal counts, week by week, the calls they didn’t have to take.',
    ],
    [
      'clock',
      'What can wait is moved to opening hours',
      'Our vet tells the owner what to do until morning, and your reception has the case, with the plan, when it opens.',
    ],
    [
      'heart-pulse',
      'Rest for those who work tomorrow',
      'Your vet on call hears only about what can’t wait, and never about fleas.',
    ],
  ]
  return (
    <>
      <PageHead
        title={
          <>
            Your <span className="inline-block">after-hours</span> calls, answered by a vet
          </>
        }
        lead={`Vets registered with ${regulator} answer your clients ${whenOpen}, and you get each case back in the morning.`}
        scene="clinic-at-dawn"
      >
        <LinkButton variant="primary" size={56} href="/contact">
          Book Discovery Call
        </LinkButton>
      </PageHead>
      <section className="section bg-paper-sunk">
        <div className="wrap">
          <h2 className="mb-8 t36 lg:mb-12">What changes for your clinic</h2>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-8 md:grid-cols-3">
            {reasons.map(([icon, title, words]) => (
              <li key={title}>
                <Reason icon={icon} title={title}>
                  {words}
                </Reason>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <section className="section">
        <div className="wrap grid grid-cols-[minmax(0,1fr)] items-center gap-8 lg:grid-cols-2 lg:gap-12">
          <div className="stack gap-5">
            <h2 className="t36">How a call goes</h2>
            <Checks
              points={[
                'Your client calls, or writes; the vet on duty takes the case.',
                'The vet sees who is on call at your clinic today, and passes on what can’t wait.',
                'The case is written up: what was asked, what was found, what was advised.',
                'Your team is notified, opens it in the clinic portal and confirms it.',
                'The owner knows when to come in, and what to bring.',
              ]}
            />
          </div>
          <Scene scene="vet-at-screen" loading="lazy" />
        </div>
      </section>
      {words.length > 0 && (
        <section className="section bg-paper-sunk">
          <div className="wrap grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[360px_minmax(0,1fr)] lg:gap-20">
            <h2 className="t36">What clinics say</h2>
            <Island name="clinic-words" of={ClinicWords} props={{ words }} />
          </div>
        </section>
      )}
      <CallToAct
        title="Let’s talk about your after-hours calls"
        lead="A short call shows whether it fits your clinic."
      >
        <LinkButton variant="primary" size={56} href="/contact">
          Contact now!
        </LinkButton>
      </CallToAct>
    </>
  )
}
