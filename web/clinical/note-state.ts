import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Note } from '#contract/clinical.ts'
import { ApiError } from '../lib/api.ts'
import { keepNote, keptNote } from '../lib/session.ts'
import { recordQuery, useSaveNote } from './queries.ts'

export const FOR_VETS = ['history', 'findings', 'assessment'] as const
export const FOR_OWNER = ['summary', 'plan', 'watch_for', 'go_if'] as const
export const PARTS = [...FOR_VETS, ...FOR_OWNER, 'outcome'] as const
export type Parts = Pick<Note, (typeof PARTS)[number]>

export const NAMES: Record<keyof Parts, string> = {
  history: 'History',
  findings: 'Findings',
  assessment: 'Assessment',
  summary: 'Summary',
  plan: 'What to do',
  watch_for: 'Watch for',
  go_if: 'Go at once if',
  outcome: 'Outcome',
}

const partsOf = (note: Parts) => Object.fromEntries(PARTS.map((part) => [part, note[part]])) as Parts
/** The server trims text. */
const bare = (value: string | null) => value?.trim() ?? null
const same = (a: Parts, b: Parts) => PARTS.every((part) => bare(a[part]) === bare(b[part]))

const AFTER_MS = 600
const AGAIN_MS = 5000

/** Unsent text stays in this tab until it is sent or the session ends. */
interface Kept {
  version: number
  parts: Parts
  /** Sent without a response. The server may have stored it, and would think newer text came from another window. */
  unsure?: Parts | undefined
}
function keptOf(id: number): Kept | undefined {
  try {
    return (JSON.parse(keptNote(id) ?? 'null') as Kept | null) ?? undefined
  } catch {
    return undefined
  }
}

export type SaveState =
  | { is: 'new' }
  | { is: 'saved'; at: string }
  | { is: 'saving' }
  | { is: 'unsaved' }
  | { is: 'refused'; why: string }
  | { is: 'elsewhere'; theirs: Note | undefined }

interface NoteState {
  parts: Parts
  save: SaveState
}

interface Server {
  save: (input: { id: number; version: number } & Parts) => Promise<{ version: number; saved_at: string }>
  fresh: () => Promise<Note>
}

/** Notes that are open, and closed notes with unsaved text. */
const held = new Map<number, ReturnType<typeof openNote>>()

/** A note being typed. It's kept on the device straight away, and saved to the server 600 ms after a key or on blur. */
function openNote(id: number, note: Note, { save, fresh }: Server) {
  const before = keptOf(id)
  let state: NoteState = { parts: before?.parts ?? partsOf(note), save: savedState(note) }
  let version = before?.version ?? note.version
  let saved = partsOf(note)
  let saving: Promise<boolean> | undefined
  let unsure = before?.unsure
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()
  const set = (change: Partial<NoteState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const isSaved = () => unsure === undefined && same(state.parts, saved)
  const keep = () =>
    keepNote(id, isSaved() ? null : JSON.stringify({ version, parts: state.parts, unsure } satisfies Kept))

  /** Resolves to true once the server has the whole note. A call during a save waits for that save and the next. */
  async function flush(): Promise<boolean> {
    clearTimeout(timer)
    return (saving ??= saveAll().finally(() => (saving = undefined)))
  }
  const saveAll = async (): Promise<boolean> =>
    stopped || isSaved() ? !stopped : (await send()) && saveAll()

  async function send() {
    const sent = (unsure ??= state.parts)
    keep()
    set({ save: { is: 'saving' } })
    try {
      const answer = await save({ id, version, ...sent })
      version = answer.version
      saved = sent
      unsure = undefined
      keep()
      set({ save: { is: 'saved', at: answer.saved_at } })
      if (listeners.size === 0 && isSaved()) held.delete(id)
      return true
    } catch (error) {
      const refusal = error instanceof ApiError ? error : new ApiError(0, '')
      if (refusal.status > 0 && refusal.status < 500) unsure = undefined
      keep()
      refused(refusal)
      return false
    }
  }

  function refused({ code, status, message }: ApiError) {
    if (code === 'NOTE_CHANGED_ELSEWHERE' || code === 'NOTE_SIGNED') {
      stopped = true
      set({ save: { is: 'elsewhere', theirs: undefined } })
      seeTheirs()
    } else if (status >= 400 && status < 500 && status !== 429) set({ save: { is: 'refused', why: message } })
    else {
      set({ save: { is: 'unsaved' } })
      timer = setTimeout(flush, AGAIN_MS)
    }
  }

  function seeTheirs() {
    if (state.save.is !== 'elsewhere' || state.save.theirs) return
    fresh().then(
      (theirs) => set({ save: { is: 'elsewhere', theirs } }),
      () => {},
    )
  }

  function write(change: Partial<Parts>) {
    set({ parts: { ...state.parts, ...change } })
    keep()
    clearTimeout(timer)
    timer = setTimeout(flush, AFTER_MS)
  }

  /** Shows what another window saved, unless something was typed here. */
  function take(note: Note) {
    if (note.version <= version || saving || !isSaved()) return
    version = note.version
    saved = partsOf(note)
    set({ parts: saved, save: savedState(note) })
  }

  /** Keeps one of two changed versions. */
  function settle(which: 'here' | 'theirs', theirs: Note) {
    stopped = false
    version = theirs.version
    saved = partsOf(theirs)
    if (which === 'here') return void flush()
    set({ parts: saved, save: savedState(theirs) })
    keep()
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      const again = () => void flush()
      addEventListener('online', again)
      // Sends text that an earlier page couldn't send.
      again()
      return () => {
        listeners.delete(listener)
        removeEventListener('online', again)
        // Leaving the case closes the note, but text that can't be saved now is still retried.
        if (isSaved()) held.delete(id)
        else again()
      }
    },
    state: () => state,
    version: () => version,
    write,
    flush,
    take,
    settle,
    seeTheirs,
  }
}

export function useNote(id: number, why: string, note: Note) {
  const client = useQueryClient()
  const { mutateAsync: save } = useSaveNote()
  const [open] = useState(() => {
    const { queryKey, queryFn } = recordQuery(id, why)
    const opened =
      held.get(id) ??
      openNote(id, note, {
        async save(input) {
          const saved = await save(input)
          // The query cache gets what was saved, for when the vet returns to the case.
          client.setQueryData(
            queryKey,
            (told) => told && { ...told, note: { ...told.note, ...partsOf(input), ...saved } },
          )
          return saved
        },
        fresh: () => client.fetchQuery({ queryKey, queryFn, staleTime: 0 }).then(({ note }) => note),
      })
    held.set(id, opened)
    return opened
  })
  useEffect(() => open.take(note), [open, note])
  return { ...open, ...useSyncExternalStore(open.subscribe, open.state) }
}

const savedState = ({ saved_at }: Note): SaveState =>
  saved_at ? { is: 'saved', at: saved_at } : { is: 'new' }
