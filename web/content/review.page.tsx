import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { filledIn } from '#contract/content.ts'
import { useStaff } from '../accounts/use-staff.ts'
import { pageMeta } from '../lib/meta.ts'
import { unreviewed, useReviewResource } from '../library/queries.ts'
import { addressOf, ResourceText } from '../library/reading.tsx'
import { usePlaces } from '../site/faq-places.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Link } from '../ui/link.tsx'
import { allOf } from '../ui/rows-loading.tsx'
import { ViewLoading } from '../ui/view-frame.tsx'
import { useReview, waitingReviews } from './queries.ts'

export const meta = () => pageMeta('Reviews', 'Clinical text that’s waiting for a vet’s review.')

/** For vets: advice about animals that waits for their review, as owners would read it. */
export default function Reviews() {
  const { staff, ...user } = useStaff()
  const list = useQuery({ ...waitingReviews, enabled: staff !== undefined })
  const library = useQuery({ ...unreviewed, enabled: staff !== undefined })
  const review = useReview()
  const reviewLibrary = useReviewResource()
  const places = usePlaces()
  const { show } = useAlert()
  const heading = useRef<HTMLHeadingElement>(null)
  /** The button disappears with the reviewed words, so the focus moves without scrolling the page. */
  const done = () => {
    show('Marked as reviewed by you.')
    heading.current?.focus({ preventScroll: true })
  }
  return (
    <div className="wrap-narrow stack gap-6 pt-6 pb-16">
      <div className="stack gap-2">
        <h1 ref={heading} tabIndex={-1} className="t28">
          Waiting for a vet
        </h1>
        <p className="lead">Read what owners would read. Your name and the date will appear below it.</p>
      </div>
      {!list.data || !library.data ? (
        <ViewLoading of={allOf(user, list, library)} what="the reviews" />
      ) : list.data.length + library.data.length === 0 ? (
        <Empty scene="success" title="Nothing to review">
          All clinical text on the pages has been reviewed.
        </Empty>
      ) : (
        <ul className="stack gap-4">
          {list.data.map(({ kind, item, title, words, draft_of, author, saved_at, version }) => (
            <Waiting
              key={`${kind} ${item} ${draft_of}`}
              about={draft_of === null ? 'The latest version' : `Draft by ${author}`}
              title={title}
              busy={review.isPending && review.variables.item === item}
              onReviewed={() =>
                review.mutate(
                  { kind, item, ...(draft_of === null ? { version } : { draft_of, saved_at }) },
                  { onSuccess: done },
                )
              }
            >
              {filledIn(String(words['answer'] ?? words['lines']), places)
                .split(/\n+/)
                .map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
            </Waiting>
          ))}
          {library.data.map((resource) => (
            <Waiting
              key={resource.id}
              about={resource.is_public ? 'In the library now' : 'Not in the library before your review'}
              title={resource.title}
              href={resource.is_public ? addressOf(resource) : undefined}
              busy={reviewLibrary.isPending && reviewLibrary.variables.resource === resource.id}
              onReviewed={() =>
                reviewLibrary.mutate(
                  { resource: resource.id, version: resource.version },
                  { onSuccess: done },
                )
              }
            >
              <ResourceText resource={resource} />
            </Waiting>
          ))}
        </ul>
      )}
    </div>
  )
}

const Waiting = ({
  about,
  title,
  href,
  busy,
  onReviewed,
  children,
}: {
  about: string
  title: string
  href?: string | undefined
  busy: boolean
  onReviewed: () => void
  children: ReactNode
}) => (
  <li>
    <Card className="stack justify-items-start gap-3">
      <p className="text-14 text-ink-soft">{about}</p>
      <h2 className="t22">{href ? <Link href={href}>{title}</Link> : title}</h2>
      {children}
      <Button
        size={36}
        icon="check"
        aria-label={`I’ve reviewed this: ${title}`}
        busy={busy}
        onClick={onReviewed}
      >
        I’ve reviewed this
      </Button>
    </Card>
  </li>
)
