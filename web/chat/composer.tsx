import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { MESSAGE_LENGTH } from '#contract/chat.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { say, spokenLocale } from '../ui/say.ts'
import { FileButtons, FileRows } from './files.tsx'
import type { Conversing, Draft } from './use-conversation.tsx'

export interface ComposerProps {
  conversing: Conversing
  draft: Draft
  /** What the box is for: its name, and what stands in it while it is empty. */
  label: string
  placeholder: string
  /** Why nothing can be written any more. Words that were begun stay, to be copied. */
  closed?: ReactNode
  /** What stands in the box is not to be sent yet; the words stay. */
  holds?: boolean
  /** Says what it sends, where that is not just the next message. */
  sendLabel?: string
  /** Stands between the messages and the box. */
  above?: ReactNode
  box?: RefObject<HTMLTextAreaElement | null>
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void
}

/** With a keyboard of its own Enter sends; on a phone it is a new line, and the button sends. */
const entersToSend = () => matchMedia('(hover: hover) and (pointer: fine)').matches

export function Composer({
  conversing,
  draft: { words, write },
  label,
  placeholder,
  closed,
  holds = false,
  sendLabel,
  above,
  box: given,
  onKeyDown,
}: ComposerProps) {
  const own = useRef<HTMLTextAreaElement>(null)
  const box = given ?? own
  const { talk, returned } = conversing
  const length = words.trim() === '' ? 0 : words.length
  const tooLong = length > MESSAGE_LENGTH
  const ready = length > 0 && !tooLong && talk !== undefined && !closed && !holds

  useEffect(() => grow(box.current), [words, box])

  function send() {
    if (!ready) return
    void talk.sendMessage(words.trim())
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

  return (
    <form
      aria-label={label}
      className="border-t border-line bg-card px-2 pt-2 pb-[max(8px,env(safe-area-inset-bottom))] lg:overflow-y-hidden lg:px-6 lg:pt-3 lg:pb-[max(16px,env(safe-area-inset-bottom))] lg:[scrollbar-gutter:stable]"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="mx-auto max-w-[728px] lg:max-w-[712px]">
        {above}
        <FileRows conversing={conversing} />
        <div role="status" className="text-14">
          {returned && <p className="px-3 pb-2 text-red">{returned.why}</p>}
          {closed && <div className="px-3 py-2 text-ink-soft">{closed}</div>}
          {tooLong && (
            <p className="px-3 pb-2 text-red">
              {say(
                'A message can be up to {most} characters long, and this one has {count}. Please send it in parts.',
                {
                  most: MESSAGE_LENGTH.toLocaleString(spokenLocale()),
                  count: words.length.toLocaleString(spokenLocale()),
                },
              )}
            </p>
          )}
        </div>
        {(!closed || words) && (
          <div className="flex items-end gap-1">
            {!closed && <FileButtons onChoose={(chosen) => talk?.attach(chosen)} />}
            <textarea
              ref={box}
              rows={1}
              dir="auto"
              value={words}
              readOnly={Boolean(closed)}
              aria-label={label}
              placeholder={placeholder}
              enterKeyHint="enter"
              autoComplete="off"
              className="control max-h-36 min-h-11! min-w-0 flex-1 resize-none overflow-y-auto rounded-[22px]! bg-paper! px-4! py-[9px]! leading-[1.5] [field-sizing:content]"
              onChange={(event) => {
                write(event.target.value)
                if (!holds) talk?.types(event.target.value.trim() !== '')
              }}
              onKeyDown={press}
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
                  // The keyboard of a phone stays up, as the focus does.
                  onPointerDown={(event) => event.preventDefault()}
                  className="inline-grid size-11 flex-none place-items-center rounded-full bg-green text-on-green hover:bg-green-hover focus-visible:rounded-full aria-disabled:cursor-not-allowed aria-disabled:bg-paper-sunk aria-disabled:text-ink-soft"
                >
                  <Icon name="arrow-up" />
                </button>
              ))}
          </div>
        )}
      </div>
    </form>
  )
}

/** Up to five lines, then it scrolls. Browsers without field-sizing are given the height by hand. */
function grow(box: HTMLTextAreaElement | null) {
  if (!box || CSS.supports('field-sizing', 'content')) return
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight + 2}px`
}
