import { MINUTE } from '#contract/time.ts'
import * as calls from '#contract/urgency.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

/** Fetched again often, because another admin may ask, confirm or refuse. */
export const versions = { ...query(calls.listVersions, {}), refetchInterval: 5000 }
export const signsOf = (version: string) => ({
  ...query(calls.readVersion, { version }),
  staleTime: Infinity,
})
/** Consults end all the time, so a replay isn't kept for long; a new one takes only a moment. */
export const replayOf = (version: string) => ({
  ...query(calls.replayVersion, { version }, { timeout: MINUTE }),
  staleTime: MINUTE,
})

const CHANGED = [calls.listVersions, calls.emergencyCheck]
export const useNoteReview = () => useForForm(calls.noteReview, { invalidates: CHANGED })
export const useMakeLive = () => useForForm(calls.makeVersionLive, { invalidates: CHANGED })
export const useWithdraw = () => useCall(calls.withdrawVersion, { invalidates: CHANGED })
