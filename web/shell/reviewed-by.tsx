import { day } from '../lib/dates.ts'
import { Icon } from '../ui/icon.tsx'

/** Who stands behind clinical words. Without a review it shows nothing. */
export const ReviewedBy = ({ review }: { review: { by: string; at: string } | null }) =>
  review && (
    <p className="mt-3 flex items-start gap-2 text-14 text-ink-soft">
      <Icon name="check" size={16} className="mt-[3px] text-green" />
      Reviewed by {review.by}, {day(review.at)}
    </p>
  )
