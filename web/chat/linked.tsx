import { Fragment, type ReactNode } from 'react'

/** Web addresses as people paste them. A full stop or bracket at the end belongs to the sentence. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'’]/gi

/** Text with links for its web addresses. They open in a new tab, with no preview and no referrer. */
export function Linked({ children: text }: { children: string }) {
  const parts: ReactNode[] = []
  let from = 0
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    parts.push(
      <Fragment key={index}>
        {text.slice(from, index)}
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="text-inherit underline underline-offset-[3px]"
        >
          {address}
        </a>
      </Fragment>,
    )
    from = index + address.length
  }
  return from === 0 ? (
    text
  ) : (
    <>
      {parts}
      {text.slice(from)}
    </>
  )
}
