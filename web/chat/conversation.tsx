import { type ReactNode, useEffect, useRef } from 'react'
import { Composer, type ComposerProps } from './composer.tsx'
import { type ListProps, MessageList } from './message-list.tsx'
import { NotRead } from './not-read.tsx'

interface Props extends ListProps, Omit<ComposerProps, 'conversing'> {
  /** At most one, between head and messages: it pushes them down and never covers them. */
  banner?: ReactNode
}

/** What was said and the box to say more, filling the height they are given. `side` is the reader's. */
export function Conversation({
  banner,
  draft,
  label,
  placeholder,
  closed,
  holds,
  sendLabel,
  above,
  box,
  onKeyDown,
  ...list
}: Props) {
  const { conversing } = list
  const { returned } = conversing
  useWordsBack(returned, draft)
  return (
    <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      {/* Stands from the start, so that what comes into it is read out. */}
      <div role="status">{banner}</div>
      {/* Where something begins or ends to stand above the messages, it opens anew, there or at its end. */}
      {conversing.opened === 'failed' && list.before === undefined && conversing.unsent.length === 0 ? (
        <NotRead onRetry={() => conversing.talk?.again()} />
      ) : (
        <MessageList key={String(list.before === undefined)} {...list} />
      )}
      <Composer
        {...{ conversing, draft, label, placeholder, closed, holds, sendLabel, above, box, onKeyDown }}
      />
    </div>
  )
}

/** Words that came too late go back to where they were written, before what was begun since. */
function useWordsBack(returned: Props['conversing']['returned'], { words, write }: Props['draft']) {
  const back = useRef(returned)
  useEffect(() => {
    if (!returned || back.current === returned) return
    back.current = returned
    write(words ? `${returned.words}\n${words}` : returned.words)
  }, [returned, words, write])
}
