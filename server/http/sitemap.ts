import type { PageRequest } from '#contract/page.ts'

const escape = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/** Every address of a site that search engines may show. */
export const sitemapOf = ({ url }: PageRequest['site'], paths: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${escape(url + path)}</loc></url>`).join('\n')}
</urlset>
`

/** What is nobody's to find says so on the page itself, which a robot must be able to read. */
export const robotsOf = ({ url }: PageRequest['site']) => `User-agent: *
Disallow: /api/

Sitemap: ${url}/sitemap.xml
`
