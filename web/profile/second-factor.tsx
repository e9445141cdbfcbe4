import { Card } from '../ui/card.tsx'
import { Failed } from '../ui/empty.tsx'
import { useLate } from '../ui/late.ts'
import { say } from '../ui/say.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'

const load = () => import('../factor/factor-card.tsx')

/** Only staff load its script. */
export function ProfileFactor() {
  const { part, failed, retry } = useLate(load)
  if (part) return <part.FactorCard />
  return (
    <Card aria-label={say('Second factor')}>
      {failed ? (
        <Failed what={say('your second factor')} onRetry={retry} />
      ) : (
        <SkeletonRows label={say('Loading your second factor')} rows={1} />
      )}
    </Card>
  )
}
