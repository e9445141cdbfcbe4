import type { ComponentType } from 'react'

interface IslandProps<P> {
  /** The file's name before `.island.tsx`. */
  name: string
  of: ComponentType<P>
  props: P
}

/** Marks the place of a component that moves. On a public page the islands' runtime hydrates it and nothing else. */
export function Island<P extends object>({ name, of: Component, props }: IslandProps<P>) {
  return (
    <div className="contents" data-island={name} data-props={JSON.stringify(props)}>
      <Component {...props} />
    </div>
  )
}

/** The place of one that shows nothing at first: it comes with the islands' runtime and is no part of other pages. */
export const LateIsland = ({ name }: { name: string }) => <div className="contents" data-island={name} />
