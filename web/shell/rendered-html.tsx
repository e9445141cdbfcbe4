import { useLoaderData } from 'react-router'
import type { renderPage } from './render-page.ts'

/** A page that its loader has rendered to HTML. The renderer is in a separate file that only the server may import. */
export function RenderedHtml() {
  const { given, html } = useLoaderData<ReturnType<typeof renderPage>>()
  return (
    <div
      id="alone"
      className="contents"
      data-given={given}
      // oxlint-disable-next-line react/no-danger -- rendered by the loader, from our components only
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
