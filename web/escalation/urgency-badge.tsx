import { type Level, LEVEL_NAMES } from '#contract/urgency.ts'
import { Badge } from '../ui/badge.tsx'

const TONES = { emergency: 'coral', urgent: 'amber', soon: 'quiet', routine: 'quiet' } as const

/** How soon the vet on the phone wanted the animal seen. */
export const UrgencyBadge = ({ urgency }: { urgency: Level }) => (
  <Badge tone={TONES[urgency]} icon={urgency === 'emergency' ? 'triangle-alert' : undefined}>
    {LEVEL_NAMES[urgency]}
  </Badge>
)
