import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { areSame, type Content, type Words } from '#contract/content.ts'
import { ApiError } from '../lib/api.ts'
import { usePublish, useSaveDraft } from './queries.ts'

const AFTER_MS = 600
const AGAIN_MS = 5000
/** What a refused save says about the draft. */
const REFUSALS: Record<string, 'gone' | 'elsewhere'> = {
  CONTENT_REMOVED: 'gone',
  CONTENT_DRAFT_ELSEWHERE: 'elsewhere',
}

export type Saved =
  | { is: 'nothing' | 'saving' | 'unsaved' | 'gone' | 'elsewhere' }
  | { is: 'saved'; at: string }
type Draft = NonNullable<Content['draft']>

/**
 * A draft being written. It's saved to the server 600 ms after the last key, and only its author sees it. If they save it
 * in another tab, this one shows those words too, or asks which stay if it has its own.
 */
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

  /** The latest save that this tab knows of. */
  const seen = useRef(draft?.saved_at ?? null)
  /** What another tab saved while this one had words of its own. */
  const [elsewhere, setElsewhere] = useState<Draft>()

  const isStored = () =>
    areSame(stored.current.words, latest.current.words) && stored.current.basedOn === latest.current.basedOn

  /** Resolves once the server has what was typed, or to the reason why it hasn't. */
  async function flush(always = false): Promise<string | undefined> {
    if (!always && isStored()) return undefined
    const sent = latest.current
    setSaved({ is: 'saving' })
    try {
      const answer = await save.mutateAsync({
        kind,
        item,
        words: sent.words,
        based_on: sent.basedOn,
        saved_at: seen.current,
      })
      stored.current = sent
      seen.current = answer.draft?.saved_at ?? null
      setSaved({ is: 'saved', at: answer.draft?.saved_at ?? '' })
      return flush()
    } catch (error) {
      const refusal = error instanceof ApiError ? REFUSALS[error.code ?? ''] : undefined
      setSaved({ is: refusal ?? 'unsaved' })
      return refusal
        ? (error as ApiError).message
        : 'Your draft isn’t saved yet. Check your connection and try again.'
    }
  }
  const flushLatest = useEffectEvent(() => flush())

  /** Continues with words that the server has. */
  function begin(words: Words, basedOn: number, saved: Saved = { is: 'nothing' }) {
    stored.current = { words, basedOn }
    setWords(words)
    setBasedOn(basedOn)
    setSaved(saved)
    setElsewhere(undefined)
    setFields({})
  }
  function take(other: Draft) {
    seen.current = other.saved_at
    begin(other.words, other.based_on, { is: 'saved', at: other.saved_at })
  }
  const follow = useEffectEvent((other: Draft) => {
    if (other.saved_at <= (seen.current ?? '')) return
    if (isStored() || areSame(other.words, latest.current.words)) take(other)
    else setElsewhere(other)
  })
  useEffect(() => {
    // An answer that is on its way may be this tab's own.
    if (draft && saved.is !== 'saving') follow(draft)
  }, [draft, saved.is])

  useEffect(() => {
    if (isStored() || elsewhere || saved.is === 'elsewhere') return
    const timer = setTimeout(() => void flushLatest(), saved.is === 'unsaved' ? AGAIN_MS : AFTER_MS)
    return () => clearTimeout(timer)
  }, [words, basedOn, saved.is, elsewhere])
  // On leaving the editor, the last words are still saved.
  useEffect(() => () => void (isStored() || flushLatest()), [])

  return {
    words,
    basedOn,
    saved,
    elsewhere,
    take,
    /** Saves the words of this tab over those of the other. */
    keep(other: Draft) {
      seen.current = other.saved_at
      setElsewhere(undefined)
      void flush(true)
    },
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
    reset: () => begin(live ?? empty, content.version),
    /**
     * True if it's live now. Otherwise the server's message, unless a field shows it. The draft is saved once more: if
     * another tab saved a different one, that's refused, because only what is on the screen may go live.
     */
    async publish(what: string): Promise<true | string> {
      const unsaved = await flush(true)
      if (unsaved) return unsaved
      try {
        const { basedOn: based_on } = latest.current
        const after = await publishing.mutateAsync({ kind, item, based_on, what })
        begin(after.live ?? empty, after.version)
        return true
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        setFields(error.fields)
        return Object.keys(error.fields).length > 0 ? '' : error.message
      }
    },
  }
}
