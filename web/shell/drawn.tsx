import { useLoaderData } from 'react-router'
import type { draw } from './draw.ts'

/** A page that its loader has rendered to HTML. The renderer is in a file of its own because only the server may import it. */
export function Drawn() {
  const { given, html } = useLoaderData<ReturnType<typeof draw>>()
  return (
    <div
      id="alone"
      className="contents"
      data-given={given}
      // oxlint-disable-next-line react/no-danger -- drawn by the loader, from components alone
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
