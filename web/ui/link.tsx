import { createContext, useContext, type ComponentProps, type ComponentType } from 'react'

type LinkProps = ComponentProps<'a'>

/** What draws a link: a plain <a>, unless a frame gives one that moves on without loading the document. */
export const LinkContext = createContext<ComponentType<LinkProps> | 'a'>('a')

export function Link(props: LinkProps) {
  const Anchor = useContext(LinkContext)
  return <Anchor {...props} />
}
