import type { MetaDescriptor } from 'react-router'
import { say } from '../ui/say.ts'

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

export const notFoundMeta = () =>
  pageMeta(say("This page doesn't exist"), say('The address may be out of date, or a letter may be missing.'))
