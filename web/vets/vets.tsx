import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { listVets, type Vet } from '#contract/vets.ts'
import { LostFactorDialog } from '../factor/lost-factor-dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { FindVet } from './find-vet.tsx'
import { everyVet } from './queries.ts'
import { TypeDialog } from './type-dialog.tsx'
import { VetDialog } from './vet-dialog.tsx'
import { VetRows } from './vet-rows.tsx'
import { fullName, isVet } from './vet-words.ts'

export default function Vets() {
  const vets = useQuery(everyVet)
  const [found, find] = useState<Vet>()
  const [edited, edit] = useState<Vet>()
  const [invited, invite] = useState('')
  const [turned, turn] = useState<Vet>()
  const [losing, lose] = useState<Vet>()
  const on = vets.data?.filter(({ on_duty_since }) => on_duty_since !== null).length

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4">
        <ViewHead title="Vets" />
        {vets.data && vets.data.length > 0 && (
          <p className="flex items-center gap-2 text-14 text-ink-soft">
            <span className={`size-2 rounded-full ${on ? 'bg-green' : 'bg-line-strong'}`} />
            {on} of {vets.data.length} on duty
          </p>
        )}
      </div>
      <FindVet found={found} onFound={find} onMake={edit} onTurn={turn} onInvite={invite} />
      {!vets.data ? (
        <ViewLoading of={vets} what="the vets" />
      ) : vets.data.length === 0 ? (
        <Empty scene="empty-no-consults" title="No vets yet">
          Look somebody up by email. Then make them a vet, or invite them if they have no account yet.
        </Empty>
      ) : (
        <>
          <VetRows vets={vets.data} onEdit={edit} />
          <p className="text-14 text-ink-soft">
            “This week” counts consults since Monday. A rating is the mean of the last 90 days.
          </p>
        </>
      )}
      {edited && (
        <VetDialog
          vet={edited}
          onTypeChange={find}
          onClose={() => edit(undefined)}
          {...(isVet(edited) && {
            onTurn: () => {
              flushSync(() => edit(undefined))
              turn(edited)
            },
            onLost: () => {
              flushSync(() => edit(undefined))
              lose(edited)
            },
          })}
        />
      )}
      {invited !== '' && <InviteDialog email={invited} onInvited={find} onClose={() => invite('')} />}
      {losing && (
        <LostFactorDialog
          person={{ id: losing.id, name: fullName(losing) }}
          invalidates={[listVets]}
          onClose={() => lose(undefined)}
        />
      )}
      {turned && <TypeDialog vet={turned} onTypeChange={find} onClose={() => turn(undefined)} />}
    </>
  )
}
