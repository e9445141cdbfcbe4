import { REGIONS } from '#contract/regions.ts'
import { useRegion, useSite } from '../lib/site.ts'

/** A frequent question, for the page and for search engines. */
export interface Asked {
  question: string
  answer: string
}

/** Data for search engines. Browsers don't run it, and nothing in it can close the element. */
export const Structured = ({ data }: { data: object }) => (
  <script type="application/ld+json">
    {JSON.stringify({ '@context': 'https://schema.org', ...data }).replace(/</g, '\\u003c')}
  </script>
)

export function OrganizationData() {
  const { url, region, reach, legal } = useSite()
  const { phone, email } = reach ?? {}
  const about = {
    name: 'VetChat',
    url,
    logo: `${url}/icon-512.png`,
    areaServed: REGIONS[region].name,
    ...(legal && { legalName: legal.split(',')[0] }),
    ...((phone || email) && {
      contactPoint: { '@type': 'ContactPoint', contactType: 'customer service', telephone: phone, email },
    }),
  }
  return <Structured data={{ '@type': 'Organization', ...about }} />
}

export const QuestionsData = ({ asked }: { asked: Asked[] }) => (
  <Structured
    data={{
      '@type': 'FAQPage',
      mainEntity: asked.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    }}
  />
)

/** What we sell, at the prices that the server charges. */
export function ProductData({ of }: { of: 'consult' | 'membership' }) {
  const { url } = useSite()
  const { prices, currency } = useRegion()
  const offer = (name: string, minor: number, path: string) => ({
    '@type': 'Offer',
    name,
    price: (minor / 100).toFixed(2),
    priceCurrency: currency.toUpperCase(),
    availability: 'https://schema.org/InStock',
    url: url + path,
  })
  const consult = {
    name: 'One consult with a vet',
    description: 'A registered vet by text or video, and the plan in writing.',
    offers: [offer('One consult', prices.consult, '/chat-purchase')],
  }
  const membership = {
    name: 'VetChat membership',
    description: 'As many consults as you need, for up to five pets.',
    offers: [
      offer('A year', prices.annual, '/subscribe?plan=annually'),
      offer('A month', prices.monthly, '/subscribe?plan=monthly'),
    ],
  }
  const brand = { '@type': 'Brand', name: 'VetChat' }
  const sold = of === 'consult' ? consult : membership
  return <Structured data={{ '@type': 'Product', brand, image: `${url}/og.png`, ...sold }} />
}
