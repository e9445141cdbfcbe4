import { listResources, type Resource, RESOURCES_A_PAGE, type ResourceType } from '#contract/library.ts'
import type { PageRequest } from '#contract/page.ts'
import { LinkButton } from '../ui/button.tsx'

const pageNumber = (request: Request) => Number(new URL(request.url).searchParams.get('page') ?? 1) || 1

/** Every item up to the page in the address, and whether there may be more. */
export async function loadedUpTo(page: PageRequest, request: Request, type: ResourceType) {
  const wanted = pageNumber(request)
  const found: Resource[] = []
  let more = true
  for (let number = 1; number <= wanted && more; number++) {
    const next = await page.ask(listResources, { type, page: String(number) })
    found.push(...next)
    more = next.length === RESOURCES_A_PAGE
  }
  return { found, next: more ? wanted + 1 : null }
}

/** Marks where a page of items starts, so that Load More scrolls to the new ones. */
export const beginsPage = (name: string, at: number) =>
  at > 0 && at % RESOURCES_A_PAGE === 0 ? `${name}-${at / RESOURCES_A_PAGE + 1}` : undefined

export function LoadMore({
  name,
  of,
  count,
  next,
}: {
  /** The list's name in the address. */
  name: string
  of: string
  count: number
  next: number | null
}) {
  if (count === 0) return null
  return (
    <p
      id={next === null ? `${name}-${Math.floor(count / RESOURCES_A_PAGE) + 1}` : undefined}
      className="scroll-mt-24"
    >
      {next === null ? (
        <span className="text-ink-soft">All Loaded</span>
      ) : (
        <LinkButton href={`?page=${next}#${name}-${next}`}>
          Load More<span className="sr-only"> {of}</span>
        </LinkButton>
      )}
    </p>
  )
}
