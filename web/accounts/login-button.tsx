import { Button } from '../ui/button.tsx'
import { say } from '../ui/say.ts'

/** The button of each step of signing in. With `welcome`, it says that the account is opening. */
export const LoginButton = ({ busy, welcome }: { busy: boolean; welcome: boolean }) => (
  <>
    <Button
      type="submit"
      variant="primary"
      size={56}
      wide
      busy={busy || welcome}
      busyLabel={welcome ? say('Signed in…') : say('Signing in…')}
    >
      {say('Login')}
    </Button>
    <p role="status" className="sr-only">
      {welcome ? say('Signed in. Opening your account.') : ''}
    </p>
  </>
)
