/* Finds what search engines and share cards lack in a public page's HTML: https://developers.google.com/search/docs */

type Data = Record<string, unknown>

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const isAddress = (value: unknown) => isText(value) && URL.canParse(value as string)
const isTime = (value: unknown) =>
  isText(value) && /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:\d\d))?$/.test(value as string)
const isPrice = (value: unknown) => isText(value) && /^\d+\.\d\d$/.test(value as string)
const isOneOf =
  (...values: string[]) =>
  (value: unknown) =>
    values.includes(value as string)
/** One or several objects of these types, each complete. */
const are =
  (...types: string[]) =>
  (value: unknown) => {
    const all = [value].flat()
    return (
      all.length > 0 && all.every((one) => types.includes(typeOf(one)) && lacks(one as Data).length === 0)
    )
  }
const typeOf = (value: unknown) => String((value as Data | undefined)?.['@type'])

/** The fields that a search engine needs of each type. */
const NEEDED: Record<string, Record<string, (value: unknown) => boolean>> = {
  Organization: { name: isText, url: isAddress, logo: isAddress },
  Brand: { name: isText },
  FAQPage: { mainEntity: are('Question') },
  Question: { name: isText, acceptedAnswer: are('Answer') },
  Answer: { text: isText },
  Article: {
    headline: (value) => isText(value) && String(value).length <= 110,
    image: isAddress,
    datePublished: isTime,
    author: are('Organization', 'Person'),
    publisher: are('Organization'),
  },
  Product: { name: isText, description: isText, image: isAddress, brand: are('Brand'), offers: are('Offer') },
  Offer: {
    price: isPrice,
    priceCurrency: isOneOf('ZAR', 'AUD'),
    availability: isOneOf('https://schema.org/InStock'),
    url: isAddress,
  },
  VideoObject: {
    name: isText,
    description: isText,
    thumbnailUrl: isAddress,
    uploadDate: isTime,
    duration: (value) => isText(value) && /^PT(\d+M)?(\d+S)?$/.test(value as string),
  },
}

function lacks(data: Data): string[] {
  const needed = NEEDED[typeOf(data)]
  if (!needed) return [`a type that is not known here: ${typeOf(data)}`]
  return Object.entries(needed)
    .filter(([name, isRight]) => !isRight(data[name]))
    .map(([name]) => `${typeOf(data)} has no right ${name}: ${JSON.stringify(data[name])}`)
}

const asRead = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')

function troublesInData(data: Data, page: string): string[] {
  const troubles = lacks(data)
  if (data['@context'] !== 'https://schema.org') troubles.push(`${typeOf(data)} without its @context`)
  const film = data['contentUrl'] ?? data['embedUrl']
  if (typeOf(data) === 'VideoObject' && !isAddress(film))
    troubles.push('VideoObject without contentUrl or embedUrl')
  if (String(film).endsWith('.html')) troubles.push(`slides that are called a video: ${String(film)}`)
  // What search engines are told and people aren't counts as spam.
  for (const { name } of typeOf(data) === 'FAQPage' ? (data['mainEntity'] as Data[]) : [])
    if (!page.includes(String(name))) troubles.push(`a question that the page doesn't show: ${name}`)
  for (const { price } of typeOf(data) === 'Product' ? ([data['offers']].flat() as Data[]) : []) {
    const digits = String(price).replace(/\.00$/, '')
    if (!page.replace(/[\s ,](?=\d{3})/g, '').includes(digits))
      troubles.push(`a price that the page doesn't show: ${price}`)
  }
  return troubles
}

const attribute = (html: string, element: RegExp) => asRead(element.exec(html)?.[1] ?? '')
const metaOf = (html: string, name: string) =>
  attribute(html, new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`))

const CARD = [
  'og:site_name',
  'og:locale',
  'og:type',
  'og:image:width',
  'og:image:height',
  'og:image:alt',
  'twitter:card',
]

/** What the page says about itself outside its text. */
export const headOf = (html: string) => ({
  title: attribute(html, /<title>([^<]*)<\/title>/),
  description: metaOf(html, 'description'),
})

/** What the card of a shared address lacks. */
export function cardTroublesIn(html: string): string[] {
  const { title, description } = headOf(html)
  const troubles = CARD.filter((name) => !metaOf(html, name)).map((name) => `no ${name}`)
  for (const name of ['og:image', 'og:url']) if (!isAddress(metaOf(html, name))) troubles.push(`no ${name}`)
  if (metaOf(html, 'og:title') !== title) troubles.push('og:title is not the title')
  if (metaOf(html, 'og:description') !== description) troubles.push('og:description is not the description')
  if (description.length < 40 || description.length > 160)
    troubles.push(`a description of ${description.length} letters`)
  return troubles
}

export function searchTroublesIn(html: string): string[] {
  const { title } = headOf(html)
  const page = asRead(html.replace(/<(script|style|title)\b.*?<\/\1>/gs, ''))
  const canonical = attribute(html, /<link rel="canonical" href="([^"]*)"/)
  const troubles = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].flatMap(
    ([, text]) => troublesInData(JSON.parse(text!) as Data, page),
  )
  if (!title || title.length > 65) troubles.push(`a title of ${title.length} letters`)
  if (!isAddress(canonical)) troubles.push('no canonical address')
  if (metaOf(html, 'og:url') !== canonical) troubles.push('og:url is not the canonical address')
  return [...troubles, ...cardTroublesIn(html)]
}
