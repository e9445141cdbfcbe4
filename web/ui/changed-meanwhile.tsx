import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { Note } from './note.tsx'

export interface Meanwhile {
  label: string
  now: string
}

/** Somebody else saved the same thing first: shows their changes, and a button to take them. Saving replaces them. */
export function ChangedMeanwhile({ changes, onTake }: { changes: Meanwhile[]; onTake: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  // The pressed button is at the bottom of the dialog.
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className="rounded-card">
      <Note
        tone="wait"
        icon="users"
        role="alert"
        title="Somebody else saved this after you opened it, so yours isn’t saved yet"
      >
        {changes.length > 0 ? (
          <>
            <dl className="stack gap-1">
              {changes.map(({ label, now }) => (
                <div key={label}>
                  <dt className="inline font-semi">{label}: </dt>
                  <dd className="inline whitespace-pre-line">{now || 'empty'}</dd>
                </div>
              ))}
            </dl>
            <div className="mt-2 flex flex-wrap items-center gap-3">
              <Button
                size={44}
                onClick={() => {
                  onTake()
                  box.current?.focus()
                }}
              >
                Take theirs
              </Button>
              <span>Save again to keep yours.</span>
            </div>
          </>
        ) : (
          <p>This form now says the same.</p>
        )}
      </Note>
    </div>
  )
}
