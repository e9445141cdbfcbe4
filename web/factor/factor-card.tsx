import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { day } from '../lib/dates.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { FactorSteps, TurnOn, useSetUp } from './factor-steps.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { myFactor, useRenewRecoveryCodes, useTurnOffFactor } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

export function FactorCard() {
  const { show } = useAlert()
  const { data: factor, isError, refetch } = useQuery(myFactor)
  const turnOff = useTurnOffFactor()
  const renew = useRenewRecoveryCodes()
  const [open, setOpen] = useState<'set up' | 'off' | 'codes'>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => {
    setOpen(undefined)
    setCodes(undefined)
  }

  return (
    <Card aria-labelledby="factor" className="stack gap-4">
      <div className="stack gap-1">
        <div className="flex flex-wrap items-center gap-3">
          <h2 id="factor" className="t22">
            Second factor
          </h2>
          {factor?.on_since && <Badge tone="green">On</Badge>}
        </div>
        <p className="text-ink-soft">
          {factor?.on_since
            ? `On since ${day(factor.on_since)}. Signing in takes a code from your app.`
            : 'With a code from your phone, a stolen password isn’t enough to get in.'}
        </p>
      </div>
      {!factor ? (
        <RowsLoading of={{ isError, refetch }} what="your second factor" rows={1} />
      ) : factor.on_since ? (
        <>
          <p className={factor.recovery_codes_left < 3 ? 'font-medium text-amber' : ''}>
            {factor.recovery_codes_left === 1
              ? '1 recovery code is left.'
              : `${factor.recovery_codes_left} recovery codes are left.`}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button size={44} onClick={() => setOpen('codes')}>
              Make new codes
            </Button>
            {!factor.required && (
              <Button size={44} variant="text" onClick={() => setOpen('off')}>
                Turn it off
              </Button>
            )}
          </div>
        </>
      ) : (
        <div>
          <Button size={44} variant="primary" icon="shield-check" onClick={() => setOpen('set up')}>
            Set up
          </Button>
        </div>
      )}
      {open === 'set up' && <SetUpDialog onClose={close} />}
      {open === 'off' && (
        <ProofDialog
          danger
          title="Turn off your second factor?"
          does="Turn it off"
          doing="Turning it off…"
          onClose={close}
          onProven={async (proof) => {
            await turnOff(proof)
            show('Your second factor is off.')
            close()
          }}
        >
          <p>From then on, you’ll only need your password to sign in. Your recovery codes stop working.</p>
        </ProofDialog>
      )}
      {open === 'codes' && !codes && (
        <ProofDialog
          title="Make new recovery codes?"
          does="Make new codes"
          doing="Making them…"
          onClose={close}
          onProven={async (proof) => setCodes((await renew(proof)).recovery_codes)}
        >
          <p>The codes that you have now stop working.</p>
        </ProofDialog>
      )}
      {codes && <NewCodesDialog codes={codes} onClose={close} />}
    </Card>
  )
}

function SetUpDialog({ onClose }: { onClose: () => void }) {
  const { show } = useAlert()
  const setUp = useSetUp(() => {
    show('Your second factor is on. Your other devices were signed out.')
    onClose()
  })
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Set up your second factor"
      foot={<TurnOn setUp={setUp} />}
      keeps="Later"
    >
      <FactorSteps setUp={setUp} />
    </Dialog>
  )
}

/** Stays open until the new codes are saved, because the old ones no longer work. */
function NewCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const [kept, setKept] = useState(false)
  return (
    <Dialog
      small
      title="Keep these ten recovery codes"
      foot={
        <Button variant="primary" off={kept ? false : 'Tick the box first.'} onClick={onClose}>
          Done
        </Button>
      }
    >
      <RecoveryCodes codes={codes} kept={kept} onKept={setKept} />
    </Dialog>
  )
}
