import { useLoaderData } from 'react-router'
import { teaserOf } from '#contract/library.ts'
import { LinkButton } from '../ui/button.tsx'
import { Book } from './book.tsx'
import { Reading, readingLoader, readingMeta, ResourceText, ReviewNote } from './reading.tsx'

export const loader = readingLoader(1)
export const meta = readingMeta

export default function Ebook() {
  const book = useLoaderData<typeof loader>()
  return (
    <Reading resource={book}>
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
    </Reading>
  )
}

const Cover = ({ src }: { src: string }) => (
  <div className="hidden place-items-center rounded-panel bg-paper-sunk py-10 lg:grid">
    <Book picture={src} large />
  </div>
)
