import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { areSame, type Content, type Words } from '#contract/content.ts'
import { ApiError } from '../lib/api.ts'
import { usePublish, useSaveDraft } from './queries.ts'

const AFTER_MS = 600
const AGAIN_MS = 5000

export type Saved = { is: 'nothing' | 'saving' | 'unsaved' | 'gone' } | { is: 'saved'; at: string }

/** A draft being written. It's saved to the server 600 ms after the last key, and only its author sees it. */
export function useDraft(content: Content, empty: Words) {
  const { kind, item, live, draft } = content
  const save = useSaveDraft()
  const publishing = usePublish()
  const [words, setWords] = useState<Words>(draft?.words ?? live ?? empty)
  const [basedOn, setBasedOn] = useState(draft?.based_on ?? content.version)
  const [saved, setSaved] = useState<Saved>(draft ? { is: 'saved', at: draft.saved_at } : { is: 'nothing' })
  const [fields, setFields] = useState<Record<string, string>>({})
  const stored = useRef({ words: draft?.words ?? live ?? empty, basedOn })
  const latest = useRef({ words, basedOn })
  useLayoutEffect(() => void (latest.current = { words, basedOn }))

  const isStored = () =>
    areSame(stored.current.words, latest.current.words) && stored.current.basedOn === latest.current.basedOn

  /** Resolves once the server has what was typed, or to the reason why it hasn't. */
  async function flush(always = false): Promise<string | undefined> {
    if (!always && isStored()) return undefined
    const sent = latest.current
    setSaved({ is: 'saving' })
    try {
      const answer = await save.mutateAsync({ kind, item, words: sent.words, based_on: sent.basedOn })
      stored.current = sent
      setSaved({ is: 'saved', at: answer.draft?.saved_at ?? '' })
      return flush()
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'CONTENT_REMOVED'
      setSaved({ is: isGone ? 'gone' : 'unsaved' })
      return isGone ? error.message : 'Your draft isn’t saved yet. Check your connection and try again.'
    }
  }
  const flushLatest = useEffectEvent(() => flush())

  useEffect(() => {
    if (isStored()) return
    const timer = setTimeout(() => void flushLatest(), saved.is === 'unsaved' ? AGAIN_MS : AFTER_MS)
    return () => clearTimeout(timer)
  }, [words, basedOn, saved.is])
  // On leaving the editor, the last words are still saved.
  useEffect(() => () => void (isStored() || flushLatest()), [])

  return {
    words,
    basedOn,
    saved,
    fields,
    publishing: publishing.isPending,
    write(change: Partial<Words>) {
      setFields(({ ...left }) => {
        for (const name of Object.keys(change)) delete left[name]
        // Whether a time zone is right depends on the country.
        if ('region' in change) delete left['zone']
        return left
      })
      setWords((before) => ({ ...before, ...(change as Words) }))
    },
    /** Settles a conflict: the chosen words are based on the version that was seen. */
    settle(chosen: Words, over: number) {
      setWords(chosen)
      setBasedOn(over)
    },
    /** Goes back to what is live. */
    reset() {
      stored.current = { words: live ?? empty, basedOn: content.version }
      setWords(live ?? empty)
      setBasedOn(content.version)
      setSaved({ is: 'nothing' })
      setFields({})
    },
    /**
     * True if it's live now. Otherwise the server's message, unless a field shows it. The draft is saved once more,
     * because the same admin may have saved another in a second window, and only what is on the screen may go live.
     */
    async publish(what: string): Promise<true | string> {
      const unsaved = await flush(true)
      if (unsaved) return unsaved
      try {
        const after = await publishing.mutateAsync({
          kind,
          item,
          based_on: latest.current.basedOn,
          ...(what && { what }),
        })
        stored.current = { words: after.live ?? empty, basedOn: after.version }
        setWords(after.live ?? empty)
        setBasedOn(after.version)
        setSaved({ is: 'nothing' })
        setFields({})
        return true
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        setFields(error.fields)
        return Object.keys(error.fields).length > 0 ? '' : error.message
      }
    },
  }
}
