import type { Message } from '#contract/chat.ts'
import { OWNER } from '#test/samples.ts'
import { answerCalls } from './visit.tsx'

interface Sent {
  client_id: string
  body: string
}

/** A server with one conversation, which answers its owner's page while that is online. */
export function chatServer(consultation: number) {
  const server = {
    messages: [] as Message[],
    marks: [] as { user_id: number; delivered: number; seen: number }[],
    tries: [] as Sent[],
    /** How far the owner has read. */
    seen: 0,
    /** How much was kept of a file that broke off. */
    keptBytes: 0,
    /** The answer to the next messages, or none to store them. */
    says: (): Response | Promise<Response> | undefined => undefined,
    add(user_id: number | null, body: string, change: Partial<Message> = {}) {
      const seq = (server.messages.at(-1)?.seq ?? 0) + 1
      const at = new Date().toISOString()
      const message = { seq, client_id: `client-${seq}`, user_id, body, attachment: null, at, ...change }
      server.messages = [...server.messages, message]
      return message
    },
    store({ client_id, body }: Sent, attachment: Message['attachment'] = null) {
      const known = server.messages.find((one) => one.client_id === client_id)
      return known ?? server.add(OWNER, body, { client_id, attachment })
    },
  }
  answerCalls(async (called, body) => {
    if (!navigator.onLine) throw new TypeError('Failed to fetch')
    const url = new URL(called, location.origin)
    if (!url.pathname.includes(`/${consultation}/`)) return {}
    if (url.pathname.endsWith('/marks')) {
      server.seen = (body as { seen: number }).seen
      return {}
    }
    if (url.pathname.includes('/attachments/')) return { bytes: server.keptBytes }
    if (body) {
      const sent = body as Sent
      server.tries.push(sent)
      const refused = await server.says()
      if (refused) return refused
      const { seq, at } = server.store(sent)
      return { seq, at }
    }
    const number = (name: string) => Number(url.searchParams.get(name) ?? Number.NaN)
    const [after, before] = [number('after'), number('before')]
    const all = server.messages.filter(({ seq }) => !(seq <= after) && !(seq >= before))
    const page = Number.isNaN(after) ? all.slice(-50) : all
    return { messages: page, marks: server.marks, more: all.length > page.length }
  })
  return server
}
