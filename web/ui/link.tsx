import { createContext, useContext, type ComponentProps, type ComponentType } from 'react'

type LinkProps = ComponentProps<'a'>

/** Renders a link: a plain <a>, unless the page provides a component that navigates without a new document. */
export const LinkContext = createContext<ComponentType<LinkProps> | 'a'>('a')

export function Link(props: LinkProps) {
  const Anchor = useContext(LinkContext)
  return <Anchor {...props} />
}
