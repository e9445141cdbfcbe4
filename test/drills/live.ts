const WAIT = 3000

/** A socket to the product at the level of its frames, so that anything can be said. */
export async function openLive(url: string, { token, origin }: { token?: string; origin?: string }) {
  const address = `${url.replace('http', 'ws')}/api/live/?EIO=4&transport=websocket`
  // The headers are an extension of Node's own WebSocket.
  const socket = new WebSocket(address, { headers: origin === undefined ? {} : { origin } } as never)
  let closed = false
  const heard: string[] = []
  const first = new Promise<string>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const frame = String(data)
      if (frame === '2') socket.send('3')
      else if (frame.startsWith('0')) socket.send(`40${JSON.stringify(token === undefined ? {} : { token })}`)
      else {
        heard.push(frame)
        resolve(frame)
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
    /** Whether the namespace was joined. */
    admitted: answer.startsWith('40'),
    heard,
    isClosed: () => closed,
    waiting: () => socket.bufferedAmount,
    send: (frame: string | Uint8Array) => socket.send(frame as string),
    close: () => socket.close(),
  }
}
