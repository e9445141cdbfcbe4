import { type ActionFunctionArgs, data, useActionData } from 'react-router'
import type { Call } from '#contract/call.ts'
import { ERRORS, isFailure } from '#contract/errors.ts'
import { pageOf } from '../lib/page-request.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'

/** Handles the page's one button. */
export async function pressed(call: Call, { context, params }: ActionFunctionArgs) {
  try {
    await pageOf(context).ask(call, { code: params['code'] ?? '' })
    return { refused: null }
  } catch (error) {
    if (!isFailure(error)) throw error
    return data({ refused: error.message }, { status: ERRORS[error.code].status })
  }
}

interface Said {
  title: string
  lead: string
  button: string
  done: string
  then: string
}

/** Needs a press, because mail scanners follow links but don't press buttons. A plain form needs no script. */
export function OnePress({ title, lead, button, done, then }: Said) {
  const answer = useActionData<{ refused: string | null }>()
  return (
    <div className="wrap-narrow section stack gap-6">
      <h1 className="t48">{answer?.refused === null ? done : title}</h1>
      {answer?.refused && (
        <Note tone="bad" role="alert" title="That didn’t work">
          {answer.refused}
        </Note>
      )}
      {answer?.refused === null ? (
        <>
          <p role="status" className="lead">
            {then}
          </p>
          <div>
            <LinkButton href="/resources">Browse the resources</LinkButton>
          </div>
        </>
      ) : (
        <>
          <p className="lead">{lead}</p>
          <form method="post">
            <Button type="submit" variant="primary" size={56}>
              {button}
            </Button>
          </form>
        </>
      )}
    </div>
  )
}
