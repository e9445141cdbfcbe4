import { useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'

/** The codes, two ways to save them, and a box to confirm it. Printing prints nothing else on the page. */
export function RecoveryCodes({
  codes,
  kept,
  onKept,
}: {
  codes: string[]
  kept: boolean
  onKept: (kept: boolean) => void
}) {
  const [said, say] = useState('')
  return (
    <div className="stack gap-3">
      <p className="text-14 text-ink-soft">
        Each opens your account once if you lose your phone. We can’t show them again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-card bg-paper-sunk px-4 py-3 font-medium tracking-[0.04em] tabular-nums"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          size={44}
          icon="copy"
          onClick={() =>
            void navigator.clipboard.writeText(codes.join('\n')).then(
              () => say('Copied.'),
              () => say('We couldn’t copy them. Please select them and copy.'),
            )
          }
        >
          Copy
        </Button>
        <Button size={44} icon="printer" onClick={() => print()}>
          Print
        </Button>
      </div>
      {/* Here, because an alert bar would be behind the dialog. */}
      <p role="status" className="text-14 empty:hidden">
        {said}
      </p>
      <Checkbox
        label="I’ve put them somewhere safe"
        checked={kept}
        onChange={({ target }) => onKept(target.checked)}
      />
      {createPortal(<Paper codes={codes} />, document.querySelector('main')!)}
    </div>
  )
}

const Paper = ({ codes }: { codes: string[] }) => (
  <div data-printed className="hidden bg-[#fff] text-[#000] print:block">
    <p className="text-22 font-bold">VetChat recovery codes</p>
    <p className="my-4">Each opens the account once, instead of the code from the authenticator app.</p>
    <ul className="stack gap-2 text-18 tracking-[0.04em]">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  </div>
)
