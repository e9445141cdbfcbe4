import type { ComponentProps } from 'react'

/** A drawing beside words that say the same. */
export const Scene = ({
  scene,
  className = 'w-full rounded-panel',
  ...rest
}: Pick<ComponentProps<'img'>, 'className' | 'loading' | 'fetchPriority' | 'onError'> & {
  scene: string
}) => (
  <img
    {...rest}
    src={`/scenes/${scene}.svg`}
    alt=""
    width={640}
    height={480}
    className={`h-auto ${className}`}
  />
)
