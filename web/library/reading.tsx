import type { ReactNode } from 'react'
import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { isFailure } from '#contract/errors.ts'
import { getResource, readWords, type Resource, teaserOf } from '#contract/library.ts'
import type { PageRequest } from '#contract/page.ts'
import { day } from '../lib/dates.ts'
import { notFoundMeta, pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { CallToAct, ChatNow } from '../shell/page-parts.tsx'
import { useSite } from '../lib/site.ts'
import { Structured } from '../shell/structured-data.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'

const PATHS = { 1: '/resource/ebook/', 2: '/resource/infographic/' } as const

async function oneToRead(page: PageRequest, type: 1 | 2, named: string): Promise<Resource> {
  try {
    const found = await page.ask(getResource, { resource: named })
    if (found.type === 3) throw redirect('/videos', 301)
    if (found.type !== type || found.slug !== named) throw redirect(PATHS[found.type] + found.slug, 301)
    return found
  } catch (error) {
    if (isFailure(error) && error.code !== 'UNEXPECTED') throw data(null, { status: 404 })
    throw error
  }
}

export const addressOf = ({ type, slug }: Pick<Resource, 'type' | 'slug'>) =>
  type === 3 ? '/videos' : PATHS[type] + slug

/** The frame of a resource's page. */
export const Reading = ({ resource, children }: { resource: Resource; children: ReactNode }) => (
  <>
    <article className="wrap stack gap-4 pt-4 lg:gap-8 lg:pt-12 print:block">
      <Link
        href="/resources"
        className="inline-flex min-h-11 items-center gap-1 justify-self-start font-semi no-underline hover:underline print:hidden"
      >
        <Icon name="arrow-left" />
        All resources
      </Link>
      {children}
    </article>
    <ArticleData resource={resource} />
    <StillWorried />
  </>
)

/** Loads one resource by its slug. An id, or an address of the other kind, redirects to the right place. */
export const readingLoader =
  (type: 1 | 2) =>
  ({ context, params }: LoaderFunctionArgs) =>
    oneToRead(pageOf(context), type, params['slug'] ?? '')

export const readingMeta = ({ loaderData }: { loaderData: Resource | undefined }) =>
  loaderData ? pageMeta(loaderData.title, teaserOf(loaderData)) : notFoundMeta()

export const ReviewNote = ({ resource: { reviewed } }: { resource: Resource }) => (
  <Note
    tone="info"
    title={reviewed ? `Reviewed by ${reviewed.by}, ${day(reviewed.at)}` : 'Only in this demo'}
  >
    {reviewed
      ? 'It’s general information and doesn’t replace a vet. If your pet is unwell, ask.'
      : 'No vet has reviewed it yet, and it doesn’t replace one. If your pet is unwell, ask.'}
  </Note>
)

/** The text after the first paragraph, which the top of the page shows. */
export function ResourceText({ resource }: { resource: Resource }) {
  const teaser = teaserOf(resource)
  return (
    <div className="stack max-w-measure gap-3">
      {readWords(resource.description).map((part, at) => {
        if ('heading' in part)
          return (
            <h2 key={part.heading} className="mt-5 t22 first:mt-0">
              {part.heading}
            </h2>
          )
        if ('text' in part)
          return at === 0 && part.text === teaser ? null : <p key={part.text}>{part.text}</p>
        return (
          <ul key={part.list.join()} className="stack list-disc gap-2 pl-5">
            {part.list.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        )
      })}
    </div>
  )
}

/** For search engines. */
function ArticleData({ resource }: { resource: Resource }) {
  const { url } = useSite()
  const us = { '@type': 'Organization', name: 'VetChat', url, logo: `${url}/icon-512.png` }
  return (
    <Structured
      data={{
        '@type': 'Article',
        headline: resource.title,
        description: teaserOf(resource),
        image: new URL(resource.featured_image || '/og.png', url).href,
        datePublished: resource.created_at,
        isAccessibleForFree: true,
        author: us,
        publisher: us,
      }}
    />
  )
}

export const StillWorried = () => (
  <CallToAct
    title="Is your own pet unwell now?"
    lead="Ask a vet by text or video. It takes two minutes to tell us."
  >
    <ChatNow />
  </CallToAct>
)
