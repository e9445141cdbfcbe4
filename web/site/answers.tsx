import { Accordion, Question } from '../ui/accordion.tsx'

export type Asked = readonly (readonly [question: string, ...answers: string[]])[]

/** Questions that open one at a time, the first already open unless told otherwise. */
export const Answers = ({ name, asked, open = true }: { name: string; asked: Asked; open?: boolean }) => (
  <Accordion>
    {asked.map(([question, ...answers], index) => (
      <Question key={question} name={name} question={question} open={open && index === 0}>
        {answers.map((answer) => (
          <p key={answer}>{answer}</p>
        ))}
      </Question>
    ))}
  </Accordion>
)
