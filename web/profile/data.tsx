import { useState } from 'react'
import { type User, USER_TYPES } from '#contract/accounts.ts'
import { RECORDS_KEPT_YEARS } from '#contract/profile.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { saveFile } from '../ui/save-file.ts'
import { say } from '../ui/say.ts'
import type { DeletionProps } from './delete-dialog.tsx'
import { useExportMyData } from './queries.ts'

const loadDelete = () => import('./delete-dialog.tsx')

export function ProfileData({ user, onDeletion }: { user: User } & DeletionProps) {
  const { show } = useAlert()
  const exportData = useExportMyData()
  const [asks, setAsks] = useState(false)
  const close = () => setAsks(false)
  const isOwner = user.type === USER_TYPES.owner
  return (
    <Card aria-labelledby="data" className="stack gap-6">
      <div className="stack gap-4">
        <div className="stack gap-1">
          <h2 id="data" className="t22">
            {say('Your data')}
          </h2>
          <p className="text-ink-soft">
            {isOwner
              ? say(
                  'Everything we keep about you in one file: your details, pets, consults with their messages, memberships, payments, claims, consents, emails and sign-ins. It’s a JSON file, which any program can read.',
                )
              : say('Everything we keep about you in one JSON file, which any program can read.')}
          </p>
        </div>
        <div>
          <Button
            size={44}
            icon="download"
            busy={exportData.isPending}
            busyLabel={say('Preparing…')}
            onClick={() =>
              exportData.mutate(
                {},
                {
                  onSuccess: (data) => {
                    saveFile('vetchat-my-data.json', 'application/json', JSON.stringify(data, null, 2))
                    show(say('Your data has been downloaded.'))
                  },
                },
              )
            }
          >
            {say('Download my data')}
          </Button>
        </div>
      </div>
      {isOwner && (
        <div className="stack gap-4 border-t border-line pt-6">
          <div className="stack gap-1">
            <h3 className="t18">{say('Delete account')}</h3>
            <p className="text-ink-soft">
              {say(
                'This can’t be undone. Clinical records are kept for {years} years after your last consult, because the law requires it. Most other data is deleted now.',
                { years: RECORDS_KEPT_YEARS },
              )}
            </p>
          </div>
          <div>
            <Button size={44} variant="danger-line" onClick={() => setAsks(true)}>
              {say('Delete my account')}
            </Button>
          </div>
        </div>
      )}
      {asks && (
        <LateDialog load={loadDelete} title={say('Delete account')} onClose={close}>
          {({ DeleteDialog }) => <DeleteDialog user={user} onClose={close} onDeletion={onDeletion} />}
        </LateDialog>
      )}
    </Card>
  )
}
