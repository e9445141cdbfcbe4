import { useLoaderData } from 'react-router'
import { teaserOf } from '#contract/library.ts'
import { LinkButton } from '../ui/button.tsx'
import { Poster } from './poster.tsx'
import { Reading, readingLoader, readingMeta, ResourceText, ReviewNote } from './reading.tsx'

export const loader = readingLoader(2)
export const meta = readingMeta

export default function Infographic() {
  const one = useLoaderData<typeof loader>()
  // An infographic made from text is shown as text, and a drawn one as a picture.
  const isMade = one.size !== null
  return (
    <Reading resource={one}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:grid-rows-[auto_1fr] lg:gap-x-12 print:block">
        <div className="stack justify-items-start gap-5 print:mb-5">
          <h1 className="max-w-full t48">{one.title}</h1>
          <p className="lead">{teaserOf(one)}</p>
          <LinkButton icon="download" href={one.file} download className="print:hidden">
            Download the picture
          </LinkButton>
        </div>
        <div className="lg:row-span-2">
          {isMade ? (
            <Poster description={one.description} />
          ) : (
            <img
              src={one.file}
              alt={`${one.title}. The same information is beside it as text.`}
              className="h-auto w-full rounded-panel border border-line"
            />
          )}
        </div>
        <div className="stack gap-6">
          {!isMade && <ResourceText resource={one} />}
          <ReviewNote resource={one} />
        </div>
      </div>
    </Reading>
  )
}
