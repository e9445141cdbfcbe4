import { Button } from '../ui/button.tsx'
import { say } from '../ui/say.ts'

export const CouldNotOpen = ({ onRetry }: { onRetry: () => void }) => (
  <div
    role="alert"
    className="grid content-center justify-items-center gap-2 overflow-auto px-5 py-8 text-center"
  >
    <img src="/scenes/offline.svg" alt="" width={320} height={240} className="h-auto w-[min(200px,56%)]" />
    <h2 className="t18">{say('We couldn’t open this consult')}</h2>
    <p className="max-w-[36ch] text-ink-soft">
      {say('Nothing is lost, and it stays open. Check your connection, then try again.')}
    </p>
    <Button variant="primary" className="mt-2" onClick={onRetry}>
      {say('Try again')}
    </Button>
  </div>
)
