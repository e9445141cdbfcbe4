import { pageMeta } from '../lib/meta.ts'
import { LinkButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Checks, SIGNS } from '../shell/page-parts.tsx'

export const meta = () => pageMeta('You are offline', 'What to do until this device is back online.')

const MEANWHILE = [
  'Keep your pet quiet, and away from other animals and children.',
  'Press a clean cloth on any bleeding for five minutes, without lifting it to look.',
  'Don’t give human medicine, and don’t make your pet vomit.',
  'Take the wrapper or the plant with you if something was eaten.',
  'Phone a clinic if calls still work: that needs no data.',
]

/** Kept on the device by worker.ts, which also fills in what happens to an open consult and to unsent messages. */
export default function Offline() {
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
      <section className="stack content-start gap-4 rounded-card bg-coral-soft p-5 lg:row-span-2 lg:p-6">
        <h2 className="flex items-center gap-2 t22 text-coral-soft-ink">
          <Icon name="siren" size={24} />
          Go to a clinic now
        </h2>
        <ul className="stack list-disc gap-2 pl-5">
          {SIGNS.map((sign) => (
            <li key={sign}>{sign}</li>
          ))}
        </ul>
      </section>
      <section className="stack gap-4">
        <h2 className="t22">Until then</h2>
        <Checks points={MEANWHILE} />
        <p className="text-14 text-ink-soft">
          General information. It hasn’t been reviewed by a vet and doesn’t replace one.
        </p>
      </section>
    </div>
  )
}
