import type { MetaDescriptor } from 'react-router'

/** The head's words of one page. Every title ends in the product's name. */
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
