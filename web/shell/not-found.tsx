import { LinkButton } from '../ui/button.tsx'
import { say, sentence } from '../ui/say.ts'

export const FILE = {
  title: sentence('We couldn’t open this file'),
  says: sentence(
    'The link may have expired, or you may need to sign in first. Your receipts and the files of your consults are in your account.',
  ),
}

export const NotFound = ({ isFile = false }) => (
  <section className="section">
    <div className="wrap stack justify-items-center gap-4 text-center">
      <img src="/scenes/not-found.svg" alt="" width={320} height={240} className="h-auto w-80 max-w-full" />
      <h1 className="t36">{isFile ? say(FILE.title) : say("This page doesn't exist")}</h1>
      <p className="lead">
        {isFile ? say(FILE.says) : say('The address may be out of date, or a letter may be missing.')}
      </p>
      <LinkButton variant="primary" size={56} href={isFile ? '/myaccount' : '/'} className="mt-3">
        {isFile ? say('Go to My account') : say('Go to the home page')}
      </LinkButton>
      <p className="text-ink-soft">
        {say('Worried about your pet? {talk}.', {
          talk: <a href="/how-it-works#hiw-pricing2">{say('Talk to a vet now')}</a>,
        })}
      </p>
    </div>
  </section>
)
