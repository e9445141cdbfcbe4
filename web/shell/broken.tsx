import { Component, type ReactNode } from 'react'
import { LinkButton } from '../ui/button.tsx'
import { say } from '../ui/say.ts'

/** Replaces a page that failed. It works without scripts. */
export function Broken({ error, reference }: { error: unknown; reference?: string | undefined }) {
  const details = import.meta.env.DEV && error instanceof Error ? error.stack : undefined
  return (
    <section className="section">
      <title>{`${say('An Error Occurred')} · VetChat`}</title>
      <div className="wrap stack justify-items-center gap-4 text-center">
        <img src="/scenes/offline.svg" alt="" width={320} height={240} className="h-auto w-80 max-w-full" />
        <h1 className="t36">{say('An Error Occurred')}</h1>
        <p className="lead">
          {say('Something went wrong on our side. Everything you’ve paid for and sent is safe.')}
        </p>
        <div className="mt-3 flex flex-wrap justify-center gap-3">
          {/* An empty address loads this page again. */}
          <LinkButton variant="primary" href="">
            {say('Try again')}
          </LinkButton>
          <LinkButton variant="text" href="/">
            {say('Go to the home page')}
          </LinkButton>
        </div>
        {reference && <p className="text-14 text-ink-soft">{say('Reference: {reference}', { reference })}</p>}
        {details && <pre className="max-w-full overflow-auto text-left text-14">{details}</pre>}
      </div>
    </section>
  )
}

/** Catches the failure of a page that runs without the router, which otherwise does that. */
export class OrBroken extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render() {
    const { error } = this.state
    return error === undefined ? this.props.children : <Broken error={error} />
  }
}
