import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { listen } from '../ui/listen.ts'
import { draw, middleOf, MOST_ZOOM, moved, type Square, zoomed, zoomOf } from '../lib/picture.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useId } from '../ui/id.ts'
import { say } from '../ui/say.ts'

const STEP = 0.05
const ZOOM_STEP = 1.1
/** The canvas is twice as large as it appears on the page, for sharp screens. */
const STAGE = 640
const PREVIEW = 112

/** How far one key press moves the picture. */
const PUSHES: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}
const ZOOMS: Record<string, number> = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': 1 / ZOOM_STEP, _: 1 / ZOOM_STEP }

/** The position in percent; the middle if there's no room to move. */
const share = (at: number, way: number) => (way > 0 ? Math.round((100 * at) / way) : 50)

interface Point {
  x: number
  y: number
}
const middle = ([a, b = a]: Point[]): Point => ({ x: (a!.x + b!.x) / 2, y: (a!.y + b!.y) / 2 })
const apart = ([a, b]: Point[]) => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0)

/** Crops a picture. A finger, a mouse or the arrow keys move it. */
export function CropDialog({
  picture,
  onCut,
  onClose,
}: {
  picture: ImageBitmap
  onCut: (square: Square) => void
  onClose: () => void
}) {
  const [square, setSquare] = useState(() => middleOf(picture))
  const help = useId()
  const slider = useId()
  const zoom = zoomOf(picture, square)

  return (
    <Dialog
      small
      onClose={onClose}
      title={say('Position the picture')}
      foot={
        <Button variant="primary" onClick={() => onCut(square)}>
          {say('Use this picture')}
        </Button>
      }
      keeps={say('Cancel')}
    >
      <div className="stack justify-items-center gap-4">
        <Stage picture={picture} square={square} describedBy={help} onChange={setSquare} />
        <p id={help} className="text-center text-14 text-ink-soft">
          {say('Drag to move it, pinch or slide to zoom.')}
          <span className="sr-only">
            {' '}
            {say('Use the arrow keys to move it, and plus and minus to zoom.')}
          </span>
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5">
        <div className="stack">
          <label htmlFor={slider} className="leading-snug font-semi">
            {say('Zoom')}
          </label>
          <input
            id={slider}
            type="range"
            min={1}
            max={MOST_ZOOM}
            step={0.05}
            value={zoom}
            aria-valuetext={say('{zoom} times', { zoom: zoom.toFixed(1) })}
            className="min-h-11 w-full cursor-pointer accent-green"
            onChange={({ target }) => setSquare(zoomed(picture, square, Number(target.value)))}
          />
        </div>
        <Drawn
          picture={picture}
          square={square}
          pixels={PREVIEW}
          className="size-14 rounded-full border border-line"
        />
        <div className="col-span-2">
          <Button size={44} icon="rotate-cw" onClick={() => setSquare(middleOf(picture))}>
            {say('Reset')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Drawn({
  picture,
  square,
  pixels,
  className,
}: {
  picture: ImageBitmap
  square: Square
  pixels: number
  className: string
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    if (canvas.current) draw(picture, square, canvas.current)
  }, [picture, square])
  return <canvas ref={canvas} width={pixels} height={pixels} aria-hidden="true" className={className} />
}

/** One finger moves, two move and zoom, a wheel zooms at the pointer. */
function Stage({
  picture,
  square,
  describedBy,
  onChange,
}: {
  picture: ImageBitmap
  square: Square
  describedBy: string
  onChange: (change: (square: Square) => Square) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const fingers = useRef(new Map<number, Point>())

  // Runs after the dialog has focused its title, so that the arrow keys move the picture straight away.
  useEffect(() => box.current?.focus(), [])
  useEffect(() => {
    const stage = box.current!
    // React's listener is passive and can't stop the dialog from scrolling.
    const turn = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top, width, height } = stage.getBoundingClientRect()
      const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height]
      const by = event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP
      onChange((square) => zoomed(picture, square, zoomOf(picture, square) * by, x, y))
    }
    return listen(stage, 'wheel', turn, { passive: false })
  }, [picture, onChange])

  function move(event: PointerEvent<HTMLDivElement>) {
    if (!fingers.current.has(event.pointerId)) return
    const before = [...fingers.current.values()]
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const after = [...fingers.current.values()]
    const { left, top, width } = event.currentTarget.getBoundingClientRect()
    const [from, to] = [middle(before), middle(after)]
    const wider = apart(before) > 0 ? apart(after) / apart(before) : 1
    onChange((square) => {
      const pushed = moved(picture, square, (to.x - from.x) / width, (to.y - from.y) / width)
      const zoom = zoomOf(picture, pushed) * wider
      return zoomed(picture, pushed, zoom, (to.x - left) / width, (to.y - top) / width)
    })
  }
  const lift = ({ pointerId }: PointerEvent) => void fingers.current.delete(pointerId)

  function press(event: KeyboardEvent) {
    const push = PUSHES[event.key]
    const zoom = ZOOMS[event.key]
    if (push) onChange((square) => moved(picture, square, ...push))
    else if (zoom) onChange((square) => zoomed(picture, square, zoomOf(picture, square) * zoom))
    else return
    event.preventDefault()
  }

  const across = share(square.left, picture.width - square.side)
  const down = share(square.top, picture.height - square.side)
  return (
    <div
      ref={box}
      role="slider"
      aria-roledescription={say('movable picture')}
      aria-label={say('Part of the picture that is shown')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={across}
      aria-valuetext={say('{across}% from the left, {down}% from the top', { across, down })}
      aria-describedby={describedBy}
      tabIndex={0}
      className="relative aspect-square w-full max-w-80 cursor-grab touch-none overflow-clip rounded-card bg-paper-sunk select-none active:cursor-grabbing"
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
      }}
      onPointerMove={move}
      onPointerUp={lift}
      onPointerCancel={lift}
    >
      <Drawn picture={picture} square={square} pixels={STAGE} className="block size-full" />
      {/* Lists show a round picture, so the corners are dimmed. */}
      <span className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_999px_var(--scrim)] outline-2 -outline-offset-2 outline-card" />
    </div>
  )
}
