import type { PageRequest } from '#contract/page.ts'
import { escaped } from './html-text.ts'

export const sitemapOf = ({ url }: PageRequest['site'], paths: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${escaped(url + path)}</loc></url>`).join('\n')}
</urlset>
`

/** Private pages carry noindex themselves, so robots must be allowed to read them. */
export const robotsOf = ({ url }: PageRequest['site']) => `User-agent: *
Disallow: /api/

Sitemap: ${url}/sitemap.xml
`
