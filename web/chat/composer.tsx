import {
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import { MESSAGE_LENGTH } from '#contract/chat.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { say, spokenLocale } from '../ui/say.ts'
import { FileButtons, FileRows } from './composer-files.tsx'
import { type ConversationStore, useConversationPart } from './conversation-store.ts'
import type { Draft } from './draft.ts'

export interface ComposerProps {
  conversation: ConversationStore
  draft: Draft
  label: string
  placeholder: string
  /** Why nobody can write any more. A draft stays and can be copied. */
  closed?: ReactNode
  /** The draft can't be sent yet. */
  holds?: boolean
  /** The button's label, if it sends something other than the next message. */
  sendLabel?: string
  /** Between the messages and the box. */
  above?: ReactNode
  /** For staff: more buttons, below the text in the same box. */
  tools?: ReactNode
  /** The key that sends, shown in the button. */
  sendHint?: ReactNode
  box?: RefObject<HTMLTextAreaElement | null>
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void
}

/** Enter sends where there is a keyboard; on a phone it makes a new line. */
export const entersToSend = () => matchMedia('(hover: hover) and (pointer: fine)').matches

export function Composer({
  conversation,
  draft: { text, write },
  label,
  placeholder,
  closed,
  holds = false,
  sendLabel,
  above,
  tools,
  sendHint,
  box: given,
  onKeyDown,
}: ComposerProps) {
  const own = useRef<HTMLTextAreaElement>(null)
  const box = given ?? own
  const refusal = useConversationPart(conversation, ({ refusal }) => refusal)
  const length = text.trim() === '' ? 0 : text.length
  const tooLong = length > MESSAGE_LENGTH
  const ready = length > 0 && !tooLong && !closed && !holds

  useEffect(() => grow(box.current), [text, box])

  function send() {
    if (!ready) return
    conversation.setTyping(false)
    conversation.outbox.send(text.trim())
    write('')
    box.current?.focus()
  }
  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    onKeyDown?.(event)
    const composes = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.defaultPrevented || composes || event.key !== 'Enter') return
    const plain = !event.shiftKey && !event.altKey
    if (event.ctrlKey || event.metaKey || (plain && entersToSend())) {
      event.preventDefault()
      send()
    }
  }

  const hasBox = !closed || text !== ''
  const files = !closed && (
    <FileButtons small={Boolean(tools)} onChoose={(chosen) => void conversation.outbox.attach(chosen)} />
  )
  const typed = {
    ref: box,
    rows: 1,
    dir: 'auto',
    value: text,
    readOnly: Boolean(closed),
    'aria-label': label,
    placeholder,
    enterKeyHint: 'enter',
    autoComplete: 'off',
    onChange: (event: ChangeEvent<HTMLTextAreaElement>) => {
      write(event.target.value)
      if (!holds) conversation.setTyping(event.target.value.trim() !== '')
    },
    onKeyDown: press,
  } as const

  return (
    <form
      data-composer
      aria-label={label}
      className="border-t border-line bg-card px-2 pt-2 pb-[max(8px,env(safe-area-inset-bottom))] lg:overflow-y-hidden lg:px-6 lg:pt-3 lg:pb-[max(16px,env(safe-area-inset-bottom))] lg:[scrollbar-gutter:stable]"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="mx-auto max-w-[728px] lg:max-w-[712px]">
        {above}
        <FileRows conversation={conversation} />
        <div role="status" className="text-14">
          {refusal && <p className="px-3 pb-2 text-red">{refusal}</p>}
          {closed && <div className="px-3 py-2 text-ink-soft">{closed}</div>}
          {tooLong && (
            <p className="px-3 pb-2 text-red">
              {say(
                'A message can be up to {most} characters long, and this one has {count}. Please send it in parts.',
                {
                  most: MESSAGE_LENGTH.toLocaleString(spokenLocale()),
                  count: text.length.toLocaleString(spokenLocale()),
                },
              )}
            </p>
          )}
        </div>
        {tools ? (
          <div className="grid gap-1 rounded-[14px] border border-line-strong bg-card p-[6px] has-[textarea:focus-visible]:outline-3 has-[textarea:focus-visible]:outline-offset-1 has-[textarea:focus-visible]:outline-focus">
            {hasBox && (
              <textarea
                {...typed}
                className="max-h-36 min-h-10 w-full resize-none overflow-y-auto bg-transparent px-2 py-2 leading-[1.5] outline-none placeholder:text-ink-soft [field-sizing:content]"
              />
            )}
            <div className="flex flex-wrap items-center gap-1">
              {files}
              {tools}
              {!closed && (
                <Button type="submit" variant="primary" size={36} className="ml-auto" aria-disabled={!ready}>
                  {sendLabel ?? say('Send')}
                  {sendHint}
                </Button>
              )}
            </div>
          </div>
        ) : (
          hasBox && (
            <div className="flex items-end gap-1">
              {files}
              <textarea
                {...typed}
                className="control max-h-36 min-h-11! min-w-0 flex-1 resize-none overflow-y-auto rounded-[22px]! bg-paper! px-4! py-[9px]! leading-[1.5] [field-sizing:content]"
              />
              {!closed &&
                (sendLabel ? (
                  <Button type="submit" size={44} variant="primary" aria-disabled={!ready}>
                    {sendLabel}
                  </Button>
                ) : (
                  <button
                    type="submit"
                    aria-label={say('Send')}
                    aria-disabled={!ready}
                    // Keeps the focus, so that a phone's keyboard stays open.
                    onPointerDown={(event) => event.preventDefault()}
                    className="inline-grid size-11 flex-none place-items-center rounded-full bg-green text-on-green hover:bg-green-hover focus-visible:rounded-full aria-disabled:cursor-not-allowed aria-disabled:bg-paper-sunk aria-disabled:text-ink-soft"
                  >
                    <Icon name="arrow-up" />
                  </button>
                ))}
            </div>
          )
        )}
      </div>
    </form>
  )
}

/** Grows up to five lines, then scrolls. Browsers without field-sizing get the height from here. */
function grow(box: HTMLTextAreaElement | null) {
  if (!box || CSS.supports('field-sizing', 'content')) return
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight + 2}px`
}
