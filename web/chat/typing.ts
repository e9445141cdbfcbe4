/** How often "is typing" is repeated, and after how long without a repeat it ends. */
const TYPING_EVERY_MS = 3000
export const TYPING_LASTS_MS = 6000

interface TypingOptions {
  tell: (writing: boolean) => void
  show: (otherTypes: boolean) => void
}

/** Tells the other side while this reader writes, and shows while the other side does. */
export function openTyping({ tell, show }: TypingOptions) {
  let isTyping = false
  let toldAt = 0
  let ends: ReturnType<typeof setTimeout> | undefined
  let otherEnds: ReturnType<typeof setTimeout> | undefined

  function tellNow(writing: boolean) {
    isTyping = writing
    toldAt = performance.now()
    tell(writing)
  }

  function setTyping(writing: boolean) {
    clearTimeout(ends)
    if (writing) ends = setTimeout(() => setTyping(false), TYPING_LASTS_MS)
    if (writing !== isTyping || (writing && performance.now() - toldAt > TYPING_EVERY_MS)) tellNow(writing)
  }

  return {
    setTyping,
    setOtherTypes(otherTypes: boolean) {
      clearTimeout(otherEnds)
      if (otherTypes) otherEnds = setTimeout(() => show(false), TYPING_LASTS_MS)
      show(otherTypes)
    },
    close() {
      clearTimeout(ends)
      clearTimeout(otherEnds)
      if (isTyping) tellNow(false)
    },
  }
}
