import type { LoaderFunctionArgs } from 'react-router'
import { queueStatus } from '#contract/queue.ts'
import { renderPage } from '../shell/render-page.ts'
import { RenderedHtml } from '../shell/rendered-html.tsx'
import { pageMeta } from '../lib/meta.ts'
import { askOr, pageOf } from '../lib/page-request.ts'
import { say } from '../ui/say.ts'
import { checkGiven } from '../urgency/check-given.ts'
import { purchase } from './purchase.tsx'

export const meta = () =>
  pageMeta(
    say('Talk to a vet now'),
    say('Pay for one consult by text or video and join the queue straight away.'),
  )

/** The first paint already says whether a vet is on duty. If we can't find out, the page still renders. */
export async function loader(args: LoaderFunctionArgs) {
  const page = pageOf(args.context)
  const [queue, given] = await Promise.all([askOr(page, queueStatus, {}, null), checkGiven(args, page)])
  return renderPage(args, { queue, ...given }, purchase)
}

export default RenderedHtml
