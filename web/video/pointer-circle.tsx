import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { say } from '../ui/say.ts'
import type { Circle } from './call-state.ts'

/** Where a contained picture is within its element. */
function pictureIn(video: HTMLVideoElement) {
  const box = { width: video.clientWidth, height: video.clientHeight }
  const scale = Math.min(box.width / video.videoWidth, box.height / video.videoHeight)
  if (!Number.isFinite(scale)) return { left: 0, top: 0, ...box }
  const [width, height] = [video.videoWidth * scale, video.videoHeight * scale]
  return { left: (box.width - width) / 2, top: (box.height - height) / 2, width, height }
}

/** The circle on a picture that lies there in its element. */
const Drawn = ({ circle: { x, y, r }, on }: { circle: Circle; on: ReturnType<typeof pictureIn> }) => (
  <span
    className="pointer-events-none absolute rounded-full border-4 border-coral outline-2 outline-plate-fill"
    style={{
      left: on.left + (x - r) * on.width,
      top: on.top + y * on.height - r * on.width,
      width: 2 * r * on.width,
      height: 2 * r * on.width,
    }}
  />
)

/** The vet's circle on the owner's picture. It's dragged with a pointer, or moved by keys. */
export function CircleLayer({
  video,
  circle,
  draws,
  onDraw,
  onDone,
}: {
  video: RefObject<HTMLVideoElement | null>
  circle: Circle | null
  draws: boolean
  onDraw: (circle: Circle | null) => void
  onDone: () => void
}) {
  const layer = useRef<HTMLDivElement>(null)
  const from = useRef<{ x: number; y: number }>(undefined)
  const [, redraw] = useState(0)
  useEffect(() => {
    const watch = new ResizeObserver(() => redraw((n) => n + 1))
    if (video.current) watch.observe(video.current)
    return () => watch.disconnect()
  }, [video])
  useEffect(() => {
    if (draws) layer.current?.focus()
  }, [draws])
  if (!circle && !draws) return null
  const picture = video.current && pictureIn(video.current)

  function pointOf(event: PointerEvent) {
    const box = event.currentTarget.getBoundingClientRect()
    const { left, top, width, height } = picture!
    return { x: (event.clientX - box.left - left) / width, y: (event.clientY - box.top - top) / height }
  }
  function draw(event: PointerEvent) {
    if (!from.current || !picture) return
    const to = pointOf(event)
    const across = Math.hypot(
      to.x - from.current.x,
      (to.y - from.current.y) * (picture.height / picture.width),
    )
    onDraw({ ...from.current, r: Math.min(0.5, Math.max(0.05, across)) })
  }
  function press(event: KeyboardEvent) {
    if (!circle) return
    const { x, y, r } = circle
    const next = {
      ArrowLeft: { x: x - 0.03, y, r },
      ArrowRight: { x: x + 0.03, y, r },
      ArrowUp: { x, y: y - 0.03, r },
      ArrowDown: { x, y: y + 0.03, r },
      '+': { x, y, r: Math.min(0.5, r * 1.2) },
      '-': { x, y, r: Math.max(0.05, r / 1.2) },
    }[event.key]
    if (event.key === 'Escape') {
      onDraw(null)
      onDone()
    } else if (next) onDraw(next)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is drawn on, and its name says which keys do the same
    <div
      ref={layer}
      role="group"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is moved by keys
      tabIndex={0}
      aria-label={say(
        'Circle on the picture. Arrow keys move it, plus and minus change its size, Escape removes it.',
      )}
      className="relative col-start-1 row-start-1 min-h-0 cursor-crosshair touch-none overflow-hidden focus-visible:-outline-offset-3"
      onKeyDown={press}
      onPointerDown={(event) => {
        from.current = pointOf(event)
        event.currentTarget.setPointerCapture(event.pointerId)
        draw(event)
      }}
      onPointerMove={draw}
      onPointerUp={() => (from.current = undefined)}
      onPointerCancel={() => (from.current = undefined)}
    >
      {circle && picture && <Drawn circle={circle} on={picture} />}
    </div>
  )
}

/** The same circle on the owner's own picture, which isn't cropped meanwhile. */
export function CircleShown({ circle, mirrored }: { circle: Circle; mirrored: boolean }) {
  const layer = useRef<HTMLDivElement>(null)
  const [picture, setPicture] = useState<ReturnType<typeof pictureIn>>()
  useEffect(() => {
    const video = layer.current?.parentElement?.querySelector('video')
    if (!video) return
    const measure = () => setPicture(pictureIn(video))
    const watch = new ResizeObserver(measure)
    watch.observe(video)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={layer} className="pointer-events-none absolute inset-0">
      <p className="sr-only" role="status">
        {say('Your vet has drawn a circle on your picture.')}
      </p>
      {picture && <Drawn circle={mirrored ? { ...circle, x: 1 - circle.x } : circle} on={picture} />}
    </div>
  )
}
