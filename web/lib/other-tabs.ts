const QUESTION = 'anyone?'

/** Answers other tabs that ask on this channel, if there is an answer. Call the returned function to stop. */
export function answerTabs(channel: string, answer: () => unknown) {
  const tabs = new BroadcastChannel(channel)
  tabs.addEventListener('message', ({ data }) => {
    const said = data === QUESTION && answer()
    if (said) tabs.postMessage(said)
  })
  return () => tabs.close()
}

/** The first answer of another tab; undefined if none answers in time. */
export function askTabs<Answer>(channel: string, ms: number) {
  const tabs = new BroadcastChannel(channel)
  return new Promise<Answer | undefined>((resolve) => {
    setTimeout(resolve, ms)
    tabs.addEventListener('message', ({ data }) => data !== QUESTION && resolve(data as Answer))
    tabs.postMessage(QUESTION)
  }).finally(() => tabs.close())
}
