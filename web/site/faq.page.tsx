import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { filledIn, listQuestions } from '#contract/content.ts'
import { Island } from '../lib/island.tsx'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { Accordion, Question } from '../ui/accordion.tsx'
import { LinkButton } from '../ui/button.tsx'
import FaqSearch from './faq-search.island.tsx'
import { CallToAct } from '../shell/page-parts.tsx'
import { ReviewedBy } from '../shell/reviewed-by.tsx'
import { QuestionsData } from '../shell/structured-data.tsx'
import { usePlaces } from './faq-places.ts'

export const meta = () =>
  pageMeta(
    'Questions and answers',
    'What a consult costs, how fast a vet answers, what comes with a membership, and what happens afterwards.',
  )

export const loader = ({ context }: LoaderFunctionArgs) => pageOf(context).ask(listQuestions, {})

export default function Faq() {
  const places = usePlaces()
  const groups = useLoaderData<typeof loader>().map(({ about, asked }) => ({
    about,
    asked: asked.map((one) => ({ ...one, answer: filledIn(one.answer, places) })),
  }))
  const count = groups.reduce((sum, { asked }) => sum + asked.length, 0)
  return (
    <>
      <div className="wrap-narrow pt-8 lg:pt-16">
        <div className="mb-10 stack gap-6">
          <h1 className="t48">What would you like to know?</h1>
          <Island name="faq-search" of={FaqSearch} props={{ count }} />
        </div>
        <div className="stack gap-8">
          {groups.map(({ about, asked }) => (
            <section key={about} data-questions className="stack gap-3">
              <h2 className="t22">{about}</h2>
              <Accordion>
                {asked.map(({ item, question, answer, is_clinical, reviewed }) => (
                  <Question key={item} name="faq" question={question}>
                    {/* An address that ends in #item opens the answer. */}
                    <div id={item} className="scroll-mt-40">
                      {answer.split(/\n+/).map((paragraph) => (
                        <p key={paragraph}>{paragraph}</p>
                      ))}
                    </div>
                    {is_clinical && <ReviewedBy review={reviewed} />}
                  </Question>
                ))}
              </Accordion>
            </section>
          ))}
        </div>
      </div>
      <QuestionsData asked={groups.flatMap(({ asked }) => asked)} />
      <CallToAct narrow title="Didn’t find it?" lead="Write to us. A person will read it and reply.">
        <LinkButton variant="primary" size={56} href="/contact">
          Contact us
        </LinkButton>
      </CallToAct>
    </>
  )
}
