import { useState } from 'react'
import type { Content, Words } from '#contract/content.ts'
import type { useDraft } from './draft-state.ts'
import { type Choice, type Difference, differences, isChosen, merged } from './merge.ts'

/** Finds what somebody published, or took down, after this draft began, and settles which words stay. */
export function useDraftConflict(
  { version, versions }: Content,
  { words, basedOn, settle }: ReturnType<typeof useDraft>,
  onSettled: () => void,
) {
  /** The words side by side, and the version that they were compared with. */
  const [open, setOpen] = useState<{ over: number; all: Difference[] }>()
  const newer = version > basedOn ? versions.find(({ number }) => number === version) : undefined
  const base = versions.find(({ number }) => number === basedOn)?.words ?? null
  const theirs = newer?.words ?? words

  function keep(chosen: Words, over = version) {
    settle(chosen, over)
    setOpen(undefined)
    onSettled()
  }
  return {
    newer,
    sides: newer && open?.all,
    see: () => setOpen({ over: version, all: differences(base, words, theirs) }),
    keep,
    choose(field: string, part: number, choice: Choice) {
      const all = open!.all.map((one) =>
        one.field === field ? { ...one, chosen: { ...one.chosen, [part]: choice } } : one,
      )
      if (all.every(isChosen)) keep(merged(words, theirs, all), open!.over)
      else setOpen({ ...open!, all })
    },
  }
}
