import type { ComponentType } from 'react'

interface IslandProps<P> {
  /** The file's name before `.island.tsx`. */
  name: string
  of: ComponentType<P>
  props: P
}

/** Marks the place of an interactive component. On a public page the islands' runtime hydrates only these. */
export const Island = <P extends object>({ name, of: Component, props }: IslandProps<P>) => (
  <div className="contents" data-island={name} data-props={JSON.stringify(props)}>
    <Component {...props} />
  </div>
)

/** The place of an island that shows nothing at first. The islands' runtime loads it; other pages leave it out. */
export const LateIsland = ({ name }: { name: string }) => <div className="contents" data-island={name} />
