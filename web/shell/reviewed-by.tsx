import { day } from '../lib/dates.ts'
import { Icon } from '../ui/icon.tsx'

/** The vet who reviewed clinical words. Words without a review only appear in the demo. */
export const ReviewedBy = ({
  review,
  className = 'text-ink-soft',
}: {
  review: { by: string; at: string } | null
  className?: string
}) => (
  <p className={`mt-3 flex items-start gap-2 text-14 ${className}`}>
    <Icon name={review ? 'check' : 'info'} size={16} className="mt-[3px] flex-none" />
    {review
      ? `Reviewed by ${review.by}, ${day(review.at)}`
      : 'Only in this demo: no vet has reviewed it yet.'}
  </p>
)
