import type { MetaDescriptor } from 'react-router'

/** The title and description of one page. Every title ends in the product's name. */
export function pageMeta(title: string, description?: string): MetaDescriptor[] {
  const whole = `${title} · VetChat`
  return [
    { title: whole },
    { property: 'og:title', content: whole },
    ...(description
      ? [
          { name: 'description', content: description },
          { property: 'og:description', content: description },
        ]
      : []),
  ]
}
