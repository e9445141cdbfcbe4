import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { lineStatus } from '#contract/line.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { say } from '../ui/say.ts'
import { Purchase } from './purchase.tsx'

export const meta = () =>
  pageMeta(say('Talk to a vet now'), say('Pay for one consult by text or video and be in the line at once.'))

/** Whether anybody is there stands on the page from its first paint on. Where that is not known it is still a page. */
export function loader({ context }: LoaderFunctionArgs) {
  const page = pageOf(context)
  return page.ask(lineStatus, {}).catch((error: unknown) => {
    page.report(error)
    return null
  })
}

/** What it says is looked at anew by the page itself. */
export const shouldRevalidate = () => false

export default function PurchasePage() {
  return <Purchase line={useLoaderData<typeof loader>()} />
}
