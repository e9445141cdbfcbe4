import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Attachment } from '#contract/chat.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'

const MOST = 6
const STEP = 1.5
const MOVES_BY = 60

const WHOLE = { scale: 1, turned: 0, x: 0, y: 0 }

export function PictureViewer({
  picture: { url, filename },
  said,
  onClose,
}: {
  picture: Pick<Attachment, 'url' | 'filename'>
  said: string
  onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [view, setView] = useState(WHOLE)
  const pointers = useRef(new Map<number, { x: number; y: number }>())

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closed before it is removed, so that the browser returns the focus.
    return () => element?.close()
  }, [])

  const zoom = (by: number) =>
    setView((was) => {
      const scale = Math.min(MOST, Math.max(1, was.scale * by))
      return scale === 1 ? { ...WHOLE, turned: was.turned } : { ...was, scale }
    })
  const move = (x: number, y: number) =>
    setView((was) => (was.scale === 1 ? was : { ...was, x: was.x + x, y: was.y + y }))
  const turn = () => setView((was) => ({ ...WHOLE, turned: was.turned + 90 }))

  const press = (event: KeyboardEvent) => {
    const act = {
      '+': () => zoom(STEP),
      '=': () => zoom(STEP),
      '-': () => zoom(1 / STEP),
      '0': () => setView(WHOLE),
      r: turn,
      ArrowLeft: () => move(MOVES_BY, 0),
      ArrowRight: () => move(-MOVES_BY, 0),
      ArrowUp: () => move(0, MOVES_BY),
      ArrowDown: () => move(0, -MOVES_BY),
    }[event.key]
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  /** One finger moves the picture, two fingers zoom. */
  const drag = (event: PointerEvent) => {
    const was = pointers.current.get(event.pointerId)
    if (!was) return
    const here = { x: event.clientX, y: event.clientY }
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, here)
    if (other) zoom(apart(here, other) / Math.max(1, apart(was, other)))
    else move(here.x - was.x, here.y - was.y)
  }
  const lift = (event: PointerEvent) => void pointers.current.delete(event.pointerId)

  return (
    <dialog
      ref={dialog}
      aria-label={said}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={press}
      className="fixed inset-0 m-0 h-dvh max-h-none w-screen max-w-none flex-col overflow-clip bg-[#0c100e] text-[#f3f6f4] open:flex"
    >
      <div
        onPointerDown={(event) => {
          pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={drag}
        onPointerUp={lift}
        onPointerCancel={lift}
        onWheel={({ deltaY }) => zoom(deltaY < 0 ? 1.15 : 1 / 1.15)}
        onDoubleClick={() =>
          view.scale === 1 ? zoom(STEP * STEP) : setView({ ...WHOLE, turned: view.turned })
        }
        className={`grid min-h-0 flex-1 touch-none place-items-center overflow-clip ${view.scale > 1 ? 'cursor-grab active:cursor-grabbing' : ''}`}
      >
        <img
          src={url}
          alt={said}
          draggable={false}
          style={{
            transform: `translate(${view.x}px, ${view.y}px) rotate(${view.turned}deg) scale(${view.scale})`,
          }}
          className={`object-contain select-none motion-safe:transition-transform motion-safe:duration-(--fast) ${view.turned % 180 === 0 ? 'max-h-full max-w-full' : 'max-h-[100vw] max-w-[calc(100dvh-80px)]'}`}
        />
      </div>
      <div className="flex items-center justify-center gap-1 px-2 pt-2 pb-[calc(8px+env(safe-area-inset-bottom))]">
        <Tool icon="x" label={say('Close')} onPress={onClose} />
        <Tool icon="zoom-out" label={say('Zoom out')} off={view.scale === 1} onPress={() => zoom(1 / STEP)} />
        <p role="status" className="w-14 text-center text-14 tabular-nums">
          {Math.round(view.scale * 100)}%
        </p>
        <Tool icon="zoom-in" label={say('Zoom in')} off={view.scale === MOST} onPress={() => zoom(STEP)} />
        <Tool icon="rotate-cw" label={say('Turn right')} onPress={turn} />
        <a
          href={url}
          download={filename}
          aria-label={say('Save this picture')}
          className="grid size-12 place-items-center rounded-full text-inherit hover:bg-[#ffffff1f]"
        >
          <Icon name="download" size={24} />
        </a>
      </div>
    </dialog>
  )
}

const apart = (one: { x: number; y: number }, other: { x: number; y: number }) =>
  Math.hypot(one.x - other.x, one.y - other.y)

const Tool = ({
  icon,
  label,
  off,
  onPress,
}: {
  icon: IconName
  label: string
  off?: boolean
  onPress: () => void
}) => (
  <button
    type="button"
    aria-label={label}
    aria-disabled={off || undefined}
    onClick={() => off || onPress()}
    className="grid size-12 place-items-center rounded-full hover:bg-[#ffffff1f] aria-disabled:opacity-40"
  >
    <Icon name={icon} size={24} />
  </button>
)
