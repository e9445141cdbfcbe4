type Changed = (isUp: boolean, why?: string) => void

/** Calls `changed` when another machine goes away and when it's back, and now if it's away already. */
export type Watch = (changed: Changed) => void

/** Whether another machine is there, and who wants to know. */
export function watchProvider() {
  const watchers: Changed[] = []
  let away: string | undefined
  return {
    isUp: () => away === undefined,
    note(isUp: boolean, why = '') {
      const changes = isUp !== (away === undefined)
      away = isUp ? undefined : why
      if (changes) for (const changed of watchers) changed(isUp, away)
    },
    watch(changed: Changed) {
      watchers.push(changed)
      if (away !== undefined) changed(false, away)
    },
  }
}
