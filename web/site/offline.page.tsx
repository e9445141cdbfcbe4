import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { LinkButton } from '../ui/button.tsx'
import { adviceOf } from '../shell/advice.ts'
import { Checks, GoNow } from '../shell/page-parts.tsx'
import { ReviewedBy } from '../shell/reviewed-by.tsx'

export const meta = () => pageMeta('You are offline', 'What to do until this device is back online.')

export async function loader({ context }: LoaderFunctionArgs) {
  const page = pageOf(context)
  const [signs, meanwhile] = await Promise.all([adviceOf(page, 'signs'), adviceOf(page, 'offline')])
  return { signs, meanwhile }
}

/** Stored on the device by worker.ts, which also fills in what happens to an open consult and to unsent messages. */
export default function Offline() {
  const { signs, meanwhile } = useLoaderData<typeof loader>()
  return (
    <div className="wrap grid grid-cols-[minmax(0,1fr)] items-start gap-8 pt-8 pb-(--section) lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:gap-12 lg:pt-16">
      <div className="stack justify-items-start gap-5">
        <h1 className="t48">You are offline</h1>
        <p className="lead">
          You can’t reach a vet from here right now. As soon as you’re back online, the page you wanted will
          open automatically.
        </p>
        <p data-waits role="status" className="max-w-measure">
          What you wrote and couldn’t send is saved on this device.
        </p>
        <LinkButton variant="primary" size={56} href="">
          Try again
        </LinkButton>
        {import.meta.env.PROD && <script src="/back.js" defer />}
      </div>
      <GoNow signs={signs} className="lg:row-span-2" />
      {meanwhile && (
        <section className="stack gap-4">
          <h2 className="t22">Until then</h2>
          <div>
            <Checks points={meanwhile.lines} />
            <ReviewedBy review={meanwhile.reviewed} />
          </div>
        </section>
      )}
    </div>
  )
}
