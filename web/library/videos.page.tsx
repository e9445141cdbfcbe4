import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { FILM_SECONDS, type Resource, secondsOfSlides, teaserOf, VIDEO_HOSTS } from '#contract/library.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { useSite } from '../lib/site.ts'
import { PageHead } from '../shell/page-parts.tsx'
import { ReviewedBy } from '../shell/reviewed-by.tsx'
import { Structured } from '../shell/structured-data.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { beginsPage, LoadMore, loadedUpTo } from './load-more.tsx'
import { StillWorried } from './reading.tsx'

export const meta = () =>
  pageMeta('Videos', 'Giving a tablet, counting breaths, removing a tick: how it’s done, step by step.')

export const loader = ({ context, request }: LoaderFunctionArgs) =>
  loadedUpTo(pageOf(context), request, 'Videos')

export default function Videos() {
  const { found, next } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHead
        title="See how it’s done"
        lead="Step by step, in short films and slides without sound. Nothing plays until you press it, so they cost hardly any data before that."
      />
      <div className="wrap stack gap-8">
        {found.length === 0 && (
          <Empty scene="empty-no-consults" title="No videos yet">
            The first ones are being made.
          </Empty>
        )}
        <ul className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-10 md:grid-cols-2 lg:grid-cols-3">
          {found.map((one, at) => (
            <li key={one.slug} id={one.slug} className="stack scroll-mt-24 gap-3">
              <Film film={one} />
              {!isSlides(one.file) && <FilmData film={one} />}
              <div id={beginsPage('videos', at)} className="stack gap-1">
                <h2 className="t18">{one.title}</h2>
                <p className="text-ink-soft">{teaserOf(one)}</p>
                {lengthOf(one) && <p className="text-14 text-ink-soft">{lengthOf(one)}</p>}
                <ReviewedBy review={one.reviewed} />
              </div>
            </li>
          ))}
        </ul>
        <LoadMore name="videos" of="videos" count={found.length} next={next} />
        {found.length > 0 && (
          <p className="max-w-measure text-14 text-ink-soft">
            General information. It doesn’t replace a vet.
          </p>
        )}
      </div>
      <StillWorried />
    </>
  )
}

/** For search engines, which only count a film as a video. */
function FilmData({ film }: { film: Resource }) {
  const { url } = useSite()
  const whole = (address: string) => new URL(address, url).href
  return (
    <Structured
      data={{
        '@type': 'VideoObject',
        name: film.title,
        description: teaserOf(film),
        uploadDate: film.created_at,
        ...(isOurFilm(film.file) && { duration: `PT${FILM_SECONDS}S` }),
        ...(isFilm(film.file) ? { contentUrl: whole(film.file) } : { embedUrl: whole(film.file) }),
        thumbnailUrl: whole(film.featured_image || '/og.png'),
      }}
    />
  )
}

/** Drawn by scripts/films.ts, with captions beside it. */
const isOurFilm = (file: string) => file.startsWith('/films/')
const isFilm = (file: string) => /\.(mp4|webm)$/.test(file)
const isSlides = (file: string) => file.startsWith('/media/library/') && file.endsWith('.html')
const hostOf = (file: string) => VIDEO_HOSTS.find((host) => file.startsWith(`${host}/`))

const lengthOf = (film: Resource) => isOurFilm(film.file) && `Film without sound, ${FILM_SECONDS} seconds`

/** A film loads when it is pressed, because a closed <details> doesn't load the frame inside it. */
function Film({ film }: { film: Resource }) {
  const { title, file, featured_image } = film
  const host = hostOf(file)
  if (isFilm(file))
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- ours has them; an uploaded film brings its own, if it has words
      <video
        controls
        playsInline
        preload="none"
        poster={featured_image || undefined}
        width={960}
        height={540}
        aria-label={title}
        className="aspect-[16/9] h-auto w-full rounded-card bg-night"
      >
        <source src={file} />
        {isOurFilm(file) && (
          <track kind="captions" srcLang="en" label="English" src={file.replace(/mp4$/, 'vtt')} />
        )}
      </video>
    )
  if (!host && !isSlides(file))
    return (
      <LinkButton icon="external-link" href={file} rel="noopener">
        Watch {title}
      </LinkButton>
    )
  const kind = host
    ? `Press to play from ${new URL(host).host}, which may store data on your device`
    : `Slides, ${secondsOfSlides(film.description)} seconds`
  return (
    <details className="group overflow-clip rounded-card bg-night">
      <summary className="list-none text-on-night hover:bg-night-line focus-visible:-outline-offset-4 focus-visible:outline-on-night [&::-webkit-details-marker]:hidden">
        <span className="relative block aspect-[16/9] overflow-clip group-open:hidden">
          <span className="sr-only">{`Play: ${title}. `}</span>
          {featured_image && (
            <img
              src={featured_image}
              alt=""
              width={144}
              height={144}
              loading="lazy"
              className="absolute -right-3 -bottom-6 size-36 object-contain"
            />
          )}
          <span className="absolute top-4 left-4 max-w-[calc(100%-32px)] rounded-card bg-night-line px-3 py-1 text-14 font-semi">
            {kind}
          </span>
          <span className="absolute bottom-4 left-4 grid size-14 place-items-center rounded-full bg-night-fill text-on-night-fill">
            <svg width={24} height={24} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
              <path d="M8 5.5v13a1 1 0 0 0 1.5.86l11-6.5a1 1 0 0 0 0-1.72l-11-6.5A1 1 0 0 0 8 5.5z" />
            </svg>
          </span>
        </span>
        {/* Stays while the film is open, because it has the focus. */}
        <span className="hidden min-h-11 items-center justify-end px-4 font-semi group-open:flex">
          Close<span className="sr-only">{`: ${title}`}</span>
        </span>
      </summary>
      <iframe
        src={file}
        title={title}
        loading="lazy"
        allow="fullscreen"
        // Our own videos run no scripts, but an external player needs its own.
        sandbox={host ? 'allow-scripts allow-same-origin allow-presentation' : ''}
        className="aspect-[16/9] w-full border-0"
      />
    </details>
  )
}
