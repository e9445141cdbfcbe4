import type { ReactNode } from 'react'
import { useFocusAfter } from '../ui/focus-after.ts'
import { Composer, type ComposerProps } from './composer.tsx'
import { useConversationPart } from './conversation-store.ts'
import { CouldNotOpen } from './could-not-open.tsx'
import { type ListProps, MessageList } from './message-list.tsx'

interface Props extends ListProps, ComposerProps {
  /** At most one, between the page's header and the messages. It pushes them down and never covers them. */
  banner?: ReactNode
  /** Between the messages and the box, with forms of its own. */
  between?: ReactNode
}

/** The messages and the box to write more, filling the height they are given. */
export function Conversation({
  banner,
  between,
  people,
  question,
  before,
  reads,
  notes,
  ...composer
}: Props) {
  const { conversation } = composer
  const isEmpty = useConversationPart(
    conversation,
    ({ opened, outbox }) => opened === 'failed' && outbox.every(({ file }) => file),
  )
  const hasFailed = isEmpty && before === undefined
  useFocusAfter(hasFailed, () => document.querySelector('main'))
  return (
    <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      {/* In the page from the start, so that screen readers read out what appears in it. */}
      <div role="status">{banner}</div>
      {/* When something above the messages appears or disappears, the list starts over, at the top or at its end. */}
      {hasFailed ? (
        <CouldNotOpen onRetry={conversation.retry} />
      ) : (
        <MessageList
          key={String(before === undefined)}
          {...{ conversation, people, question, before, reads, notes }}
        />
      )}
      {between}
      <Composer {...composer} />
    </div>
  )
}
