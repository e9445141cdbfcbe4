import { useLayoutEffect, useRef, useState } from 'react'
import { Section } from '../ui/section.tsx'

const WIDTHS = { Phone: 390, Desktop: 1280 } as const
type Width = keyof typeof WIDTHS
const HEIGHT = 640

/** Scrolls to the place in the address. The browser would scroll the editor's own page too. */
function showPlace({ contentDocument, contentWindow }: HTMLIFrameElement, name: string) {
  const place = name ? contentDocument?.getElementById(name) : null
  if (!place) return
  const folded = place.closest('details') ?? place.querySelector('details')
  folded?.setAttribute('open', '')
  const above = Number.parseFloat(getComputedStyle(place).scrollMarginTop)
  contentWindow!.scrollTo(0, place.getBoundingClientRect().top - above)
}

/** The real page with the draft, scaled to fit. Nothing in it can be pressed, and it runs no scripts. */
export function Preview({ address, version }: { address: string; version: string }) {
  const [as, showAs] = useState<Width>('Phone')
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(390)
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => setRoom(entry!.contentRect.width))
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  const width = WIDTHS[as]
  const scale = Math.min(1, room / width)
  const [page, place = ''] = address.split('#')
  return (
    <Section
      title="As visitors see it"
      aside={
        <span className="segments">
          {(Object.keys(WIDTHS) as Width[]).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={as === name}
              className="segment"
              onClick={() => showAs(name)}
            >
              {name}
            </button>
          ))}
        </span>
      }
    >
      <div className="bg-paper-sunk p-4">
        <div ref={box} className="grid justify-center overflow-clip" style={{ height: HEIGHT }}>
          <div style={{ width: width * scale, height: HEIGHT }}>
            <iframe
              // A saved draft loads the page again.
              key={`${address} ${version}`}
              src={page}
              onLoad={({ currentTarget }) => showPlace(currentTarget, place)}
              title="Preview"
              inert
              tabIndex={-1}
              sandbox="allow-same-origin"
              className="origin-top-left rounded-card border-0 bg-paper"
              style={{ width, height: HEIGHT / scale, transform: `scale(${scale})` }}
            />
          </div>
        </div>
      </div>
    </Section>
  )
}
