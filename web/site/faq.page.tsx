import { Island } from '../lib/island.tsx'
import { pageMeta } from '../lib/meta.ts'
import { Accordion, Question } from '../ui/accordion.tsx'
import { LinkButton } from '../ui/button.tsx'
import FaqSearch from './faq-search.island.tsx'
import { useQuestions } from './faq-questions.ts'
import { CallToAct } from '../shell/page-parts.tsx'
import { QuestionsData } from '../shell/structured-data.tsx'

export const meta = () =>
  pageMeta(
    'Questions and answers',
    'What a consult costs, how fast a vet answers, what comes with a membership, and what happens afterwards.',
  )

export default function Faq() {
  const groups = useQuestions()
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
                {asked.map(({ question, answer }) => (
                  <Question key={question} name="faq" question={question}>
                    <p>{answer}</p>
                  </Question>
                ))}
              </Accordion>
            </section>
          ))}
        </div>
      </div>
      <QuestionsData asked={groups.flatMap(({ asked }) => asked)} />
      <CallToAct title="Didn’t find it?" lead="Write to us. A person will read it and reply.">
        <LinkButton variant="primary" size={56} href="/contact">
          Contact us
        </LinkButton>
      </CallToAct>
    </>
  )
}
