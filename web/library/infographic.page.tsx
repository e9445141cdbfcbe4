import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { teaserOf } from '#contract/library.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { LinkButton } from '../ui/button.tsx'
import { Back, NotAVet, oneToRead, StillWorried, Words } from './reading.tsx'

export const loader = ({ context, params }: LoaderFunctionArgs) =>
  oneToRead(pageOf(context), 2, params['slug'] ?? '')

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  loaderData ? pageMeta(loaderData.title, teaserOf(loaderData)) : pageMeta("This page doesn't exist")

export default function Infographic() {
  const one = useLoaderData<typeof loader>()
  return (
    <>
      <article className="wrap stack gap-8 pt-6 lg:pt-12">
        <Back />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:gap-x-16">
          <div className="stack gap-4">
            <h1 className="t48">{one.title}</h1>
            <p className="lead">{teaserOf(one)}</p>
            <div>
              <LinkButton icon="download" href={one.file} download>
                Download the picture
              </LinkButton>
            </div>
          </div>
          <img
            src={one.file}
            alt={`${one.title}. The same stands below in words.`}
            width={one.size?.width}
            height={one.size?.height}
            className="h-auto w-full rounded-panel border border-line lg:row-span-2"
          />
          <section aria-label="In words" className="stack gap-6">
            <Words resource={one} />
            <NotAVet />
          </section>
        </div>
      </article>
      <StillWorried />
    </>
  )
}
