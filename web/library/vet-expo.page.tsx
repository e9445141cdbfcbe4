import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import * as lengths from '#contract/lengths.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { useRegion } from '../lib/site.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Trap } from '../ui/trap.tsx'
import { Scene } from '../ui/scene.tsx'

export const meta = () =>
  pageMeta(
    'Met us at an expo?',
    'Leave your details and we’ll tell you how VetChat takes a clinic’s after-hours calls.',
  )

export const loader = ({ context }: LoaderFunctionArgs) => pageOf(context).expo

/** A plain form that posts to the external list and uses its field names. */
export default function VetExpo() {
  const list = useLoaderData<typeof loader>()
  return (
    <div className="wrap grid grid-cols-[minmax(0,1fr)] items-start gap-8 pt-8 pb-(--section) lg:grid-cols-2 lg:gap-12 lg:pt-16">
      <div className="stack max-w-measure gap-8">
        <div className="stack gap-3">
          <h1 className="t48">Met us at an expo?</h1>
          <p className="lead">
            {list
              ? 'Leave your details, and we’ll tell you how VetChat would take your clinic’s after-hours calls. We only need your email.'
              : 'We’d like to tell you how VetChat would take your clinic’s after-hours calls.'}
          </p>
        </div>
        {list ? <ListForm {...list} /> : <NoList />}
      </div>
      <Scene scene="clinic-at-dawn" className="w-full rounded-panel lg:sticky lg:top-24" />
    </div>
  )
}

const NoList = () => (
  <div className="stack gap-5">
    <Note tone="info" title="This form isn’t connected right now">
      Please write to us instead. A person will read it and reply.
    </Note>
    <div>
      <LinkButton variant="primary" size={56} href="/contact">
        Contact us
      </LinkButton>
    </div>
  </div>
)

function ListForm({ url, tags, trap }: { url: string; tags: string; trap: string }) {
  const { phoneExample } = useRegion()
  return (
    <form action={url} method="post" target="_blank" rel="noopener" className="stack gap-6">
      <TextField label="Email" type="email" name="EMAIL" required maxLength={lengths.email} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 sm:grid-cols-2">
        <TextField
          label="First name"
          optional
          name="FNAME"
          autoComplete="given-name"
          maxLength={lengths.name}
        />
        <TextField
          label="Last name"
          optional
          name="LNAME"
          autoComplete="family-name"
          maxLength={lengths.name}
        />
      </div>
      <TextField
        label="Phone"
        type="tel"
        optional
        name="PHONE"
        help={`For example, ${phoneExample}`}
        maxLength={lengths.mobile}
      />
      <TextField
        label="Vet clinic or business"
        optional
        name="MMERGE5"
        autoComplete="organization"
        maxLength={lengths.company}
      />
      <TextField label="Message" optional name="MMERGE6" maxLength={500} />
      {tags && <input type="hidden" name="tags" value={tags} />}
      {trap && <Trap name={trap} />}
      <div className="stack gap-3">
        <div>
          <Button type="submit" variant="primary" size={56}>
            Send my details
          </Button>
        </div>
        <p className="text-14 text-ink-soft">
          They go to our mailing list, which opens in a new tab. You can unsubscribe from any of its emails.
        </p>
      </div>
    </form>
  )
}
