import { Card } from '../ui/card.tsx'
import { useLate } from '../ui/late.ts'
import { say } from '../ui/say.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'

const load = () => import('../factor/factor-card.tsx')

/** Only staff load its script. */
export function ProfileFactor() {
  const late = useLate(load)
  if (late.part) return <late.part.FactorCard />
  return (
    <Card aria-label={say('Second factor')}>
      <RowsLoading of={late} what={say('your second factor')} rows={1} />
    </Card>
  )
}
