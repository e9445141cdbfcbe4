import { useSite } from '../lib/site.ts'
import { useId } from '../ui/id.ts'
import { Link } from '../ui/link.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { Logo } from './logo.tsx'
import { ContactWays } from './contact-ways.tsx'
import { REGION_WORDS } from './region-words.ts'
import { SmallPrint, smallPrint } from './small-print.tsx'

const COLUMNS: { heading: Sentence | 'VetChat'; links: [href: string, words: Sentence][] }[] = [
  {
    heading: 'VetChat',
    links: [
      ['/how-it-works', sentence('How it works')],
      ['/about', sentence('About us')],
      ['/faq', sentence('Questions')],
      ['/contact', sentence('Contact us')],
    ],
  },
  {
    heading: sentence('Learn'),
    links: [
      ['/resources', sentence('Resources')],
      ['/videos', sentence('Videos')],
      ['/testimonials', sentence('Testimonials')],
      ['/petculture-plus', sentence('Membership')],
    ],
  },
  {
    heading: sentence('For clinics'),
    links: [
      ['/vet-clinic', sentence('Clinic triage')],
      ['/clinic-portal', sentence('Clinic portal')],
      ['/partners', sentence('Partners')],
    ],
  },
]

export function Footer({ className }: { className: string }) {
  const { region, social = [] } = useSite()
  return (
    <footer className={`border-t border-line bg-paper-sunk pt-12 pb-8 lg:pt-16 ${className}`}>
      <div className="wrap">
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-x-6 gap-y-8 lg:grid-cols-[1.6fr_1fr_1fr_1fr]">
          <div className="col-span-full stack content-start gap-3 lg:col-span-1 lg:max-w-75">
            <Logo />
            <p className="text-balance text-ink-soft">{say(REGION_WORDS[region].footer)}</p>
            <ContactWays className="text-ink-soft lg:flex-col" />
          </div>
          {COLUMNS.map((column) => (
            <Column key={column.links[0]![0]} {...column} />
          ))}
        </div>
        <div className="mt-8 flex flex-wrap gap-x-6 border-t border-line pt-4 text-14 text-ink-soft">
          <SmallPrint />
          {social.map(({ name, url }) => (
            <a key={name} href={url} rel="me noopener" className={smallPrint}>
              {name}
            </a>
          ))}
        </div>
      </div>
    </footer>
  )
}

function Column({ heading, links }: (typeof COLUMNS)[number]) {
  const id = useId()
  return (
    <nav aria-labelledby={id}>
      <h2 id={id} className="mb-1 text-14 font-semi text-ink-soft">
        {say(heading)}
      </h2>
      <ul>
        {links.map(([href, words]) => (
          <li key={href}>
            <Link
              href={href}
              className="inline-flex min-h-11 items-center text-ink no-underline hover:underline lg:min-h-9"
            >
              {say(words)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
