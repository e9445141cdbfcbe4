import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { csvRow } from '#contract/csv.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { saveCsv } from '../ui/save-file.ts'

/** The space for a chart. `scale` is the reader's text size compared with the usual one. */
export interface Room {
  width: number
  scale: number
}

/** The space that an element has; undefined until it has been measured. */
export function useRoom() {
  const [room, setRoom] = useState<Room>()
  const ref = useRef<HTMLDivElement>(null)
  // Measured before the first paint, so that nothing below a chart moves when it's drawn.
  useLayoutEffect(() => {
    const element = ref.current!
    const measure = () => {
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
      setRoom({ width: Math.floor(element.clientWidth), scale })
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return { ref, room }
}

export interface Figures {
  head: string[]
  /** As shown in the table. */
  rows: (string | number)[][]
  /** The exact figures for the file, if they differ. */
  raw?: (string | number)[][]
  rawHead?: string[]
}

const csvOf = ({ head, rows, raw = rows, rawHead = head }: Figures) => [rawHead, ...raw].map(csvRow).join('')

export function ChartCard({
  title,
  note,
  legend,
  file,
  figures,
  isOpen = false,
  none,
  children,
}: {
  title: string
  note: string
  legend?: [colour: string, said: string][]
  /** The CSV file's name, without its ending. */
  file: string
  figures: Figures
  isOpen?: boolean
  /** Why there is nothing to draw. */
  none?: string | false
  children?: (room: Room) => ReactNode
}) {
  const { ref, room } = useRoom()
  const table = <FiguresTable title={title} {...figures} />
  return (
    <Card className="stack min-w-0 content-start gap-3 text-14">
      <header className="flex items-start gap-3">
        <div className="min-w-0">
          <h2 className="text-16 leading-snug font-semi">{title}</h2>
          <p className="text-ink-soft">{note}</p>
        </div>
        <Button
          size={36}
          icon="download"
          aria-label={`${title}: CSV`}
          className="ml-auto flex-none"
          onClick={() => saveCsv(`${file}.csv`, csvOf(figures))}
        >
          CSV
        </Button>
      </header>
      {legend && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-ink-soft">
          {legend.map(([colour, said]) => (
            <li key={said} className="flex items-center gap-2">
              <svg width={12} height={12} aria-hidden="true">
                <rect width={12} height={12} rx={3} fill={colour} />
              </svg>
              {said}
            </li>
          ))}
        </ul>
      )}
      <div ref={ref}>
        {none ? <p className="py-10 text-center text-ink-soft">{none}</p> : room && children?.(room)}
      </div>
      {figures.rows.length > 0 &&
        (isOpen ? (
          table
        ) : (
          <details>
            <summary className="min-h-6 font-medium text-green pointer-coarse:min-h-11">
              Show as a table
            </summary>
            {table}
          </details>
        ))}
    </Card>
  )
}

const FiguresTable = ({ title, head, rows }: Figures & { title: string }) => (
  <table className="mt-2 w-full border-collapse tabular-nums">
    <caption className="sr-only">{title}</caption>
    <thead>
      <tr>
        {head.map((said, at) => (
          <th
            key={said}
            scope="col"
            className={`border-b border-line py-1 font-medium text-ink-soft ${at === 0 ? 'text-left' : 'pl-3 text-right'}`}
          >
            {said}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows never move
        <tr key={row}>
          {cells.map((cell, at) => (
            <td
              key={head[at]}
              className={`border-b border-line py-1 ${at === 0 ? 'text-left' : 'pl-3 text-right whitespace-nowrap'}`}
            >
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
