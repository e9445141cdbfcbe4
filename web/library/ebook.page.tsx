import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { teaserOf } from '#contract/library.ts'
import { notFoundMeta, pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { LinkButton } from '../ui/button.tsx'
import { Book } from './book.tsx'
import { AllResources, ArticleData, oneToRead, ResourceText, ReviewNote, StillWorried } from './reading.tsx'

export const loader = ({ context, params }: LoaderFunctionArgs) =>
  oneToRead(pageOf(context), 1, params['slug'] ?? '')

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  loaderData ? pageMeta(loaderData.title, teaserOf(loaderData)) : notFoundMeta()

export default function Ebook() {
  const book = useLoaderData<typeof loader>()
  return (
    <>
      <article className="wrap stack gap-4 pt-4 lg:gap-8 lg:pt-12">
        <AllResources />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,1fr)_320px] lg:grid-rows-[auto_1fr] lg:gap-x-20">
          <div className="stack gap-4">
            <h1 className="t48">{book.title}</h1>
            <p className="lead">{teaserOf(book)}</p>
          </div>
          <aside aria-label="This eBook" className="stack gap-5 lg:row-span-2 lg:sticky lg:top-24">
            <Cover src={book.featured_image} />
            <LinkButton variant="primary" icon="download" wide href={book.file} download>
              Download as PDF
            </LinkButton>
            <ReviewNote resource={book} />
          </aside>
          <ResourceText resource={book} />
        </div>
      </article>
      <ArticleData resource={book} />
      <StillWorried />
    </>
  )
}

const Cover = ({ src }: { src: string }) => (
  <div className="hidden place-items-center rounded-panel bg-paper-sunk py-10 lg:grid">
    <Book picture={src} large />
  </div>
)
