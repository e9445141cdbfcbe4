import { useLoaderData } from 'react-router'
import type { draw } from './draw.ts'

/** A page whose loader has drawn it. Apart from what draws, which is the server's alone. */
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
