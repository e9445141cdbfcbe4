import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useFocusAfter } from '../ui/focus-after.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { say } from '../ui/say.ts'
import type { Part } from './call-props.ts'

const STEP = 24
const WAYS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/** One's own picture, which can be dragged, moved by arrow keys, and hidden. */
export function SelfView({
  store,
  state: { local, facing },
  stage,
  children,
}: Part<'store'> & {
  /** The picture stays inside this element, and above its keys. */
  stage: RefObject<HTMLElement | null>
  /** Shown over the picture. */
  children: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const [hidden, setHidden] = useState(false)
  const [at, setAt] = useState({ x: 0, y: 0 })
  const drag = useRef<{ x: number; y: number }>(undefined)

  function move(x: number, y: number) {
    const keys = stage.current?.lastElementChild
    const [outer, inner, below] = [stage.current, box.current, keys].map((one) =>
      one?.getBoundingClientRect(),
    )
    if (!outer || !inner || !below) return
    const between = (least: number, value: number, most: number) => Math.max(least, Math.min(value, most))
    setAt({
      x: at.x + between(outer.left + 8 - inner.left, x, outer.right - 8 - inner.right),
      y: at.y + between(outer.top + 8 - inner.top, y, below.top - 8 - inner.bottom),
    })
  }
  const stay = useEffectEvent(() => move(0, 0))
  useEffect(() => {
    // The phone may be turned, or the chat opened.
    const watch = new ResizeObserver(() => stay())
    watch.observe(stage.current!)
    return () => watch.disconnect()
  }, [stage])
  useFocusAfter(!hidden, () => toggle.current)
  useFocusAfter(hidden, () => toggle.current)
  function press(event: KeyboardEvent) {
    const way = WAYS[event.key]
    if (!way) return
    event.preventDefault()
    move(...way)
  }
  function pull(event: PointerEvent) {
    if (!drag.current) return
    move(event.clientX - drag.current.x, event.clientY - drag.current.y)
    drag.current = { x: event.clientX, y: event.clientY }
  }

  if (!local) return null
  if (hidden)
    return (
      <IconButton
        ref={toggle}
        label={say('Show your own picture')}
        icon="eye-off"
        className="bg-plate hover:bg-plate-fill! hover:text-on-plate-fill!"
        onClick={() => setHidden(false)}
      />
    )
  const isVet = store.side === 'vet'
  // With a circle, the picture isn't cropped.
  const { width = 4, height = 3 } = (children && local.getVideoTracks()[0]?.getSettings()) || {}
  const look = isVet
    ? 'lg:w-42 group-data-narrow/call:lg:w-26'
    : !children
      ? 'lg:w-60'
      : `max-lg:absolute! max-lg:top-26 max-lg:right-3 ${width > height ? 'w-56! lg:w-100!' : 'w-40! lg:w-60!'}`
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move it, as its name says
    <div
      ref={box}
      role="group"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is moved by keys
      tabIndex={0}
      aria-label={say('Your own picture. Arrow keys move it.')}
      style={{
        translate: `${at.x}px ${at.y}px`,
        ...(children && { aspectRatio: width / height }),
      }}
      className={`relative z-1 aspect-3/4 w-26 flex-none touch-none overflow-hidden rounded-[14px] bg-stage-self ring-2 ring-plate-fill/90 max-lg:group-data-open/call:w-16 lg:aspect-4/3 short:w-18 ${look}`}
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.target instanceof Element && event.target.closest('button')) return
        drag.current = { x: event.clientX, y: event.clientY }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={pull}
      onPointerUp={() => (drag.current = undefined)}
      onPointerCancel={() => (drag.current = undefined)}
    >
      <video
        autoPlay
        muted
        playsInline
        aria-hidden="true"
        className={`size-full ${children ? 'object-contain' : 'object-cover'} ${facing === 'user' ? '-scale-x-100' : ''}`}
        ref={(video) => {
          if (video && video.srcObject !== local) video.srcObject = local
        }}
      />
      {children}
      <IconButton
        ref={toggle}
        label={say('Hide your own picture')}
        icon="eye"
        className="absolute right-0 bottom-0 text-plate-fill before:absolute before:inset-[7px] before:-z-1 before:rounded-full before:bg-plate max-lg:group-data-open/call:hidden"
        onClick={() => setHidden(true)}
      />
    </div>
  )
}
