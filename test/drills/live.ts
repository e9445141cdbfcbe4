const WAIT = 3000

interface Answer {
  ok?: unknown
  code?: string
}

export type Live = Awaited<ReturnType<typeof openLive>>

/** Opens a raw socket to the product, which can send any frame. */
export async function openLive(url: string, { token, origin }: { token?: string; origin?: string }) {
  const address = `${url.replace('http', 'ws')}/api/live/?EIO=4&transport=websocket`
  // Node's WebSocket takes headers as an extension.
  const socket = new WebSocket(address, { headers: origin === undefined ? {} : { origin } } as never)
  let closed = false
  const heard: string[] = []
  const waiting = new Map<number, (answer: Answer) => void>()
  let asked = 0
  const first = new Promise<string>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const frame = String(data)
      if (frame === '2') socket.send('3')
      else if (frame.startsWith('0')) socket.send(`40${JSON.stringify(token === undefined ? {} : { token })}`)
      else {
        heard.push(frame)
        resolve(frame)
        const id = /^43(\d+)/.exec(frame)?.[1]
        if (id) waiting.get(Number(id))?.((JSON.parse(frame.slice(2 + id.length)) as Answer[])[0]!)
      }
    })
    socket.addEventListener('error', () => resolve('refused'))
    socket.addEventListener('close', () => {
      closed = true
      resolve('closed')
    })
    setTimeout(() => resolve('silent'), WAIT)
  })
  const answer = await first
  return {
    answer,
    /** Whether the server accepted the connection to the namespace. */
    admitted: answer.startsWith('40'),
    heard,
    isClosed: () => closed,
    unsent: () => socket.bufferedAmount,
    /** Sends an event and returns its acknowledgement. */
    ask(event: string, input: object) {
      const id = ++asked
      socket.send(`42${id}${JSON.stringify([event, input])}`)
      return new Promise<Answer>((done) => waiting.set(id, done)).finally(() => waiting.delete(id))
    },
    /** The pushes received under that name. */
    told: (push: string) =>
      heard
        .filter((frame) => frame.startsWith(`42["${push}"`))
        .map((frame) => (JSON.parse(frame.slice(2)) as [string, Record<string, unknown>])[1]),
    send: (frame: string | Uint8Array) => socket.send(frame as string),
    close: () => socket.close(),
  }
}
