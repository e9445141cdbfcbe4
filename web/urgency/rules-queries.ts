import * as calls from '#contract/urgency.ts'
import { query, useCall } from '../lib/queries.ts'

export const versions = query(calls.listVersions, {})
export const signsOf = (version: string) => ({
  ...query(calls.readVersion, { version }),
  staleTime: Infinity,
})
/** Consults end all the time, so a replay isn't kept for long; it takes a moment to make. */
export const replayOf = (version: string) => ({
  ...query(calls.replayVersion, { version }, { timeout: 60_000 }),
  staleTime: 60_000,
})

const CHANGED = [calls.listVersions, calls.emergencyCheck]
export const useNoteReview = () => useCall(calls.noteReview, { invalidates: CHANGED, showsFailure: true })
export const useMakeLive = () => useCall(calls.makeVersionLive, { invalidates: CHANGED, showsFailure: true })
export const useWithdraw = () => useCall(calls.withdrawVersion, { invalidates: CHANGED })
