import { useNavigate } from 'react-router'
import type { Content, ContentKind } from '#contract/content.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useDiscardDraft, useTakeDown } from './queries.ts'

const TAKE_DOWN = {
  title: 'Take it down?',
  does: 'Take it down',
  doing: 'Taking it down…',
  says: 'It leaves the pages straight away.',
  done: 'It’s off the pages.',
  did: 'took this off the pages',
}
const WITHDRAW: typeof TAKE_DOWN = {
  title: 'Withdraw this reply?',
  does: 'Withdraw reply',
  doing: 'Withdrawing…',
  says: 'Vets stop seeing it straight away.',
  done: 'Vets no longer see it.',
  did: 'withdrew this',
}

export const downOf = (kind: ContentKind) => (kind === 'reply' ? WITHDRAW : TAKE_DOWN)

export function DiscardDialog({
  content: { kind, item },
  isNew,
  onDone,
  onClose,
}: {
  content: Content
  isNew: boolean
  onDone: () => void
  onClose: () => void
}) {
  const { show } = useAlert()
  const discard = useDiscardDraft()
  const go = useNavigate()
  return (
    <ConfirmDialog
      title="Discard your draft?"
      does="Discard draft"
      doing="Discarding…"
      keeps="Keep it"
      onClose={onClose}
      onConfirm={async () => {
        await discard({ kind, item })
        onDone()
        onClose()
        show('Your draft is gone.', 'info')
        if (isNew) void go('/admin/pages', { replace: true })
      }}
    >
      <p>{isNew ? 'It was never published, so nothing is kept.' : 'The published text stays as it is.'}</p>
    </ConfirmDialog>
  )
}

export function TakeDownDialog({
  content: { kind, item, version },
  onDone,
  onClose,
}: {
  content: Content
  /** With the version that took it down. */
  onDone: (version: number) => void
  onClose: () => void
}) {
  const takeDown = useTakeDown()
  const down = downOf(kind)
  return (
    <ConfirmDialog
      {...down}
      keeps="Keep it"
      onClose={onClose}
      onConfirm={async () => {
        const after = await takeDown({ kind, item, based_on: version })
        onDone(after.version)
        return `${down.done} Its versions stay.`
      }}
    >
      <p>{down.says} Its versions stay, and you can use one again.</p>
    </ConfirmDialog>
  )
}
