import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import * as calls from '#contract/records.ts'
import { adviceOn, api, ApiError, failed } from '../lib/api.ts'
import { listen, subscribers, together } from '../ui/listen.ts'

/* An owner's answers while waiting. They stay on the device until the server has them, even over a reload. */

export type Asked = 'weight' | calls.FactKind
export type Answer =
  | { asked: 'weight'; kg: number }
  /** Without items, the owner knows of none. */
  | { asked: calls.FactKind; items: { name: string; detail: string }[] }

/** Where a page stores the questions that it asked while the owner waited. */
export const askedKey = (consultation: number) => `questions:${consultation}`

const TRIES_EVERY_MS = 10_000

const keyOf = (consultation: number) => `answers:${consultation}`
const read = (consultation: number) => localStorage.getItem(keyOf(consultation)) ?? '[]'

const { subscribe, tell } = subscribers()

function change(consultation: number, to: (answers: Answer[]) => Answer[]) {
  const answers = to(JSON.parse(read(consultation)) as Answer[])
  if (answers.length > 0) localStorage.setItem(keyOf(consultation), JSON.stringify(answers))
  else localStorage.removeItem(keyOf(consultation))
  tell()
}

/** A later answer to the same question replaces the earlier one. */
const hold = (consultation: number, answer: Answer) =>
  change(consultation, (all) => [...all.filter(({ asked }) => asked !== answer.asked), answer])

const release = (consultation: number, sent: Answer) =>
  change(consultation, (all) => all.filter((one) => JSON.stringify(one) !== JSON.stringify(sent)))

async function send(id: number, consultation: number, answer: Answer): Promise<calls.PetRecord> {
  // With their token, guests can change the pet of their own consult.
  const about = { consultation }
  if (answer.asked === 'weight') return api(calls.addWeight, { id, kg: answer.kg }, about)
  const { asked: kind, items } = answer
  let record = items.length === 0 ? await api(calls.recordNone, { id, kind }, about) : undefined
  for (const item of items) record = await api(calls.addFact, { id, kind, ...item }, about)
  return record!
}

/** Whether a later try may succeed. */
const isPassing = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

const sending = new Set<number>()

/** Sends the waiting answers one after the other. Sending one twice does no harm. True if none still waits. */
async function sendAll(pet: number, consultation: number, client: QueryClient, onRefused: Refused) {
  if (sending.has(consultation)) return true
  sending.add(consultation)
  let reached = true
  while (reached) {
    const [answer] = JSON.parse(read(consultation)) as Answer[]
    if (!answer) break
    try {
      const record = await send(pet, consultation, answer)
      client.setQueryData([calls.getPetRecord.path, { id: pet }], record)
    } catch (error) {
      reached = !isPassing(error)
      if (reached) onRefused(answer.asked, adviceOn(error) ?? failed(error))
    }
    if (reached) release(consultation, answer)
  }
  sending.delete(consultation)
  return reached
}

type Refused = (asked: Asked, why: string) => void

/** The answers on their way, why others were refused, and `save`, which keeps an answer until it is stored. */
export function useAnswers(pet: number | null, consultation: number) {
  const client = useQueryClient()
  const waiting = JSON.parse(useSyncExternalStore(subscribe, () => read(consultation))) as Answer[]
  const [refused, setRefused] = useState<Partial<Record<Asked, string>>>({})
  const [isStuck, setStuck] = useState(false)
  const trySending = async () => {
    if (pet === null) return
    const refuse = (asked: Asked, why: string) => setRefused((all) => ({ ...all, [asked]: why }))
    setStuck(!(await sendAll(pet, consultation, client, refuse)))
  }
  const waits = waiting.length > 0
  const look = useEffectEvent(() => void trySending())
  useEffect(() => {
    if (!waits) return
    const again = () => look()
    again()
    const timer = setInterval(again, TRIES_EVERY_MS)
    return together(listen(window, 'online', again), () => clearInterval(timer))
  }, [waits, pet, consultation])
  return {
    waiting,
    /** The server couldn't be reached, or can't store answers now. */
    isStuck: isStuck && waits,
    refused,
    save(answer: Answer) {
      setRefused((all) => ({ ...all, [answer.asked]: undefined }))
      hold(consultation, answer)
      void trySending()
    },
  }
}
