import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { type Resource, teaserOf } from '#contract/library.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { More, PageHead } from '../shell/page-parts.tsx'
import { Empty } from '../ui/empty.tsx'
import { Link } from '../ui/link.tsx'
import { Book } from './book.tsx'
import { beginsPage, LoadMore, loadedUpTo } from './load-more.tsx'
import { PosterPeek } from './poster.tsx'
import { addressOf, StillWorried } from './reading.tsx'

export const meta = () =>
  pageMeta(
    'Resources: eBooks and infographics',
    'First aid, tick season, food, fear of noise and more: short eBooks and one-page infographics for pet owners.',
  )

export async function loader({ context, request }: LoaderFunctionArgs) {
  const page = pageOf(context)
  const [ebooks, infographics] = await Promise.all([
    loadedUpTo(page, request, 'eBooks'),
    loadedUpTo(page, request, 'Infographics'),
  ])
  return { ebooks, infographics }
}

export default function Resources() {
  const { ebooks, infographics } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHead
        title="Good to know before you need it"
        lead="Short eBooks and one-page infographics. Read them here, or keep them on your phone for the night when the network is down."
      >
        <nav aria-label="Categories" className="flex flex-wrap gap-x-6">
          <More href="#ebooks">eBooks</More>
          <More href="#infographics">Infographics</More>
          <More href="/videos">Videos</More>
        </nav>
      </PageHead>
      <Category name="ebooks" title="eBooks" loaded={ebooks} picture={Cover} narrow />
      <Category name="infographics" title="Infographics" loaded={infographics} picture={Thumbnail} />
      <StillWorried />
    </>
  )
}

const Category = ({
  name,
  title,
  loaded: { found, next },
  picture: Picture,
  narrow = false,
}: {
  name: string
  title: string
  loaded: Awaited<ReturnType<typeof loader>>['ebooks']
  picture: (of: Resource) => React.ReactNode
  /** Beside the text on a phone. */
  narrow?: boolean
}) => (
  <section id={name} className="scroll-mt-20 pb-(--section) last-of-type:pb-0">
    <div className="wrap stack gap-6 lg:gap-8">
      <h2 className="t36">{title}</h2>
      {found.length === 0 && (
        <Empty scene="empty-no-consults" title={`No ${title} yet`}>
          The first ones are being written.
        </Empty>
      )}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2 lg:grid-cols-3 lg:gap-6">
        {found.map((one, at) => (
          <li
            key={one.slug}
            id={beginsPage(name, at)}
            className={`relative grid scroll-mt-24 overflow-clip rounded-card border border-line bg-card hover:border-green ${narrow ? 'max-sm:grid-cols-[112px_minmax(0,1fr)] sm:grid-rows-[auto_1fr]' : 'grid-rows-[auto_1fr]'}`}
          >
            <Picture {...one} />
            <div className="stack content-start gap-2 p-4 sm:p-5">
              <h3 className="t18">
                <Link
                  href={addressOf(one)}
                  className="text-ink no-underline after:absolute after:inset-0 after:rounded-card hover:underline focus-visible:after:outline-3 focus-visible:after:outline-focus"
                >
                  {one.title}
                </Link>
              </h3>
              <p className="text-ink-soft">{teaserOf(one)}</p>
            </div>
          </li>
        ))}
      </ul>
      <LoadMore name={name} of={title} count={found.length} next={next} />
    </div>
  </section>
)

const Cover = ({ featured_image }: Resource) => (
  <div className="grid place-items-center border-line bg-paper-sunk max-sm:border-r sm:h-44 sm:border-b">
    <Book picture={featured_image} />
  </div>
)

const Thumbnail = ({ file, size, description }: Resource) =>
  size ? (
    <PosterPeek description={description} />
  ) : (
    <img
      src={file}
      alt=""
      width={400}
      height={176}
      loading="lazy"
      className="h-44 w-full border-b border-line object-cover object-top"
    />
  )
