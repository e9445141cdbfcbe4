import { useSyncExternalStore } from 'react'
import type { CallState } from './call-state.ts'
import type { CallStore } from './call-store.ts'

export const useCallState = (store: CallStore): CallState =>
  useSyncExternalStore(store.subscribe, store.state)

/** Plays a call's sound while its picture isn't shown. */
export function CallSound({ store }: { store: CallStore }) {
  const { remote } = useCallState(store)
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- a live call has no captions
    <audio
      autoPlay
      ref={(audio) => {
        if (audio && audio.srcObject !== remote) audio.srcObject = remote
      }}
    />
  )
}
