import type * as z from 'zod'
import type { LimitName } from './limits.ts'

/** Who can call. A guest holds a token for one consultation, a clinic holds one for its portal. */
export type ActorKind = 'owner' | 'vet' | 'admin' | 'guest' | 'clinic'
export type Access = 'anyone' | readonly ActorKind[]

/** Everybody with an account. */
export const people = ['owner', 'vet', 'admin'] as const

type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Params<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Without this, an input with no fields at all would count as having every name. */
type Holds<I extends Schema<any, any>, Name> = [Name] extends [never]
  ? unknown
  : string extends keyof z.core.output<I>
    ? never
    : unknown

type Schema<O = unknown, I = unknown> = z.core.$ZodType<O, I>

export interface Call<
  I extends Schema = Schema<any, any>,
  O extends Schema = Schema<any, any>,
  A extends Access = Access,
> {
  kind: 'call'
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  summary: string
  access: A
  /** Path parameters, query and body in one object, matched by name. */
  input: I
  output: O
  /** Counted for each address before the body is read. A call that counts only failures does so in its own write. */
  limit?: LimitName
  /** Multipart: at most this many bytes in each file. With `keepsParts`, the handler also gets what arrived of a file that broke off. */
  upload?: { maxBytes: number; keepsParts?: true }
  /** Reads the Idempotency-Key header into ctx.idempotency. */
  idempotent?: true
  /** 'opened' sets the cookie that opens the answer's files while the session lasts; 'closed' removes it. */
  files?: 'opened' | 'closed'
  /** A GET that changes something: HEAD and prefetch are refused. */
  effect?: true
  /**
   * Answers PASSWORD_AGAIN and does nothing unless the session's password was entered in the last minutes. With
   * `sometimes` the handler decides, because it knows whether this input is dangerous.
   */
  again?: true | 'sometimes'
  /** Open to staff who haven't yet set up the second factor that they need. */
  settingUp?: true
  /** Answers only while the sandbox replaces this provider, and only callers who may reach it. */
  sandbox?: 'mail' | 'sms' | 'payments'
}

/** One HTTP call. A path parameter that the input lacks is a compile error. */
export function call<
  const P extends `/${string}`,
  I extends Schema<Record<Params<P>, unknown>, any>,
  O extends Schema<any, any>,
  const A extends Access,
>(
  method: Call['method'],
  path: P,
  definition: Omit<Call<I, O, A>, 'kind' | 'method' | 'path'> & { input: Holds<I, Params<P>> },
): Call<I, O, A> & { path: P } {
  return { kind: 'call', method, path, ...definition }
}

/** One socket request with an acknowledgement. The same as a call, without an address. */
export interface Event<
  I extends Schema = Schema<any, any>,
  O extends Schema = Schema<any, any>,
  A extends Access = Access,
> {
  kind: 'event'
  event: string
  summary: string
  access: A
  input: I
  output: O
}

export function event<I extends Schema<any, any>, O extends Schema<any, any>, const A extends Access>(
  name: string,
  definition: Omit<Event<I, O, A>, 'kind' | 'event'>,
): Event<I, O, A> {
  return { kind: 'event', event: name, ...definition }
}

/** One message that the server sends unasked. */
export interface Push<P extends Schema = Schema<any, any>> {
  kind: 'push'
  push: string
  payload: P
}

export const push = <P extends Schema<any, any>>(name: string, payload: P): Push<P> => ({
  kind: 'push',
  push: name,
  payload,
})

/** What a caller sends, what a handler gets once it is parsed, and what the caller gets back. */
export type Input<D extends { input: Schema }> = z.core.input<D['input']>
export type Parsed<D extends { input: Schema }> = z.core.output<D['input']>
export type Output<D extends { output: Schema }> = z.core.output<D['output']>

/** Splits an input into the address and the body. */
export function urlOf(definition: Pick<Call, 'method' | 'path'>, input: object) {
  const rest = { ...(input as Record<string, unknown>) }
  const path = definition.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (definition.method === 'POST' || definition.method === 'PUT') return { url: path, body: rest }
  const query = Object.entries(rest)
    .flatMap(([name, value]) =>
      value == null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
    )
    .join('&')
  return { url: query ? `${path}?${query}` : path, body: undefined }
}
