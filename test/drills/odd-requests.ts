import * as z from 'zod'
import type { Call } from '#contract/call.ts'

export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** Values that nobody should send. Any of them may appear in any field. */
const odd = (random: () => number): unknown => {
  const all: unknown[] = [
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 31 - 1,
    -(2 ** 31) - 1,
    2 ** 53,
    1e308,
    -0,
    '',
    ' ',
    '\0',
    'a\0b',
    '\u{d800}',
    'ÿ',
    '2147483648',
    '0x10',
    'NaN',
    '1e3',
    "'; drop table users; --",
    '%s%n',
    '../../etc/passwd',
    '<script>',
    '\u202e',
    '\r\nX: y',
    '☃'.repeat(300),
    'x'.repeat(10_000),
    'a@b.c',
    'owner@demo.vetchat.example',
    `${'x'.repeat(250)}@b.example`,
    [],
    [[]],
    [null],
    {},
    { $gt: '' },
    { toString: 1 },
    { length: -1 },
    new Date(8.64e15),
    '9999-99-99',
    '-infinity',
    'null',
    'undefined',
  ]
  return all[Math.floor(random() * all.length)]
}

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Generates requests that are mostly valid, each with something that nobody should send. */
export function maker(calls: Call[], tokens: string[], random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const chance = (share: number) => random() < share
  const schemas = new Map(
    calls.map((call) => [call, z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Json]),
  )
  interface Json {
    type?: string
    properties?: Record<string, Json>
    items?: Json
    enum?: unknown[]
    anyOf?: Json[]
    format?: string
  }
  function sample(schema: Json = {}, depth = 0): unknown {
    if (chance(0.15) || depth > 4) return odd(random)
    if (schema.enum) return pick(schema.enum)
    if (schema.anyOf) return sample(pick(schema.anyOf), depth + 1)
    if (schema.type === 'object')
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
          chance(0.1) ? [] : [[name, sample(one, depth + 1)]],
        ),
      )
    if (schema.type === 'array')
      return Array.from({ length: Math.floor(random() * 4) }, () => sample(schema.items, depth + 1))
    if (schema.type === 'number' || schema.type === 'integer') return Math.floor(random() * 100)
    if (schema.type === 'boolean') return chance(0.5)
    if (schema.format === 'email') return `fuzz${Math.floor(random() * 50)}@example.com`
    return pick(['Passw0rd', 'word', 'ABCDEFGHJKLMNPQRSTUV', '12'])
  }
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  function bodyOf(values: object): { type: string | undefined; body: Buffer } {
    const text = JSON.stringify(values)
    const json = 'application/json'
    const forms: (() => { type: string | undefined; body: Buffer })[] = [
      () => ({ type: json, body: Buffer.from(text.slice(0, Math.floor(random() * text.length))) }),
      () => ({
        type: json,
        body: Buffer.from([...Buffer.from(text.slice(0, 5)), 0xff, 0xfe, 0xc0, 0x80, 0x22]),
      }),
      () => ({
        type: json,
        body: Buffer.from(
          pick([
            '[]',
            'null',
            '1',
            '"x"',
            'NaN',
            '{"a":1}{',
            '[[[[',
            '\ufeff{}',
            '{"__proto__":{"x":1}}',
            '{"constructor":{"prototype":1}}',
          ]),
        ),
      }),
      () => ({ type: json, body: Buffer.from(nested(pick([100, 5000, 40_000]))) }),
      () => ({ type: json, body: Buffer.alloc(pick([262_144, 262_145, 1_000_000]), 0x20) }),
      () => ({ type: json, body: Buffer.from(`{"email":"${'é'.repeat(pick([300, 100_000]))}"}`) }),
      () => ({
        type: pick([
          undefined,
          '',
          'text/plain',
          'text/html',
          'application/xml',
          'json',
          ';',
          'application/json; charset=utf-16',
          'application/x-www-form-urlencoded',
        ]),
        body: Buffer.from(text),
      }),
      () => ({ type: 'multipart/form-data', body: Buffer.from(text) }),
      () => ({
        type: 'multipart/form-data; boundary=x',
        body: Buffer.from(
          pick([
            '--x',
            '--x\r\n\r\n',
            '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\na@b.example\r\n--x--',
            '--x\r\nContent-Disposition: form-data; name="file"; filename="\0"\r\n\r\n',
          ]),
        ),
      }),
      () => ({ type: json, body: Buffer.alloc(0) }),
    ]
    return chance(0.35) ? pick(forms)() : { type: json, body: Buffer.from(text) }
  }

  const garbage = [
    '%',
    '%zz',
    '%00',
    '%ff',
    '%c0%ae',
    '..%2f..%2f',
    '%2e%2e/',
    '//',
    '/./',
    'x'.repeat(5000),
    '%e0%a4%a',
    ';',
    '*',
    "'",
    '%0d%0a',
    '{}',
    '|',
    '\\',
    '%25',
    '%2F',
    '~',
    '[',
    '__proto__',
    'constructor',
  ]
  const queries = [
    '?',
    '?a',
    '?a=%',
    '?to=%00',
    '?to=a&to=b',
    '?to[a]=b',
    '?to=%ff',
    '?promo=intro-20&page=2',
    '?page=-1',
    '?page=99999999999999',
    `?${'a=1&'.repeat(500)}`,
    '?__proto__=1',
    '?_routes=x',
    '?index',
    '?from=//x',
  ]
  const pages = [
    '/',
    '/login',
    '/resetpwd/',
    '/claim/',
    '/clinic-invitation/',
    '/no/',
    '/myaccount',
    '/sandbox/mail',
    '/assets/',
    '/media/',
    '/avatars/',
    '/api/',
    '/api/live/',
    '/api/openapi.json',
    '/api/metrics',
    '/login.data',
    '/_root.data',
    '/__manifest',
    '/favicon.svg',
  ]

  return function make(): Sent {
    const call = pick(calls)
    const values = sample(schemas.get(call)) as Record<string, unknown>
    const holds = typeof values === 'object' && values !== null
    const filled = call.path.replace(/:\w+/g, () =>
      encodeURIComponent(asText(odd(random)).replaceAll(/[\ud800-\udfff]/g, '?')).slice(0, 2000),
    )
    let where = chance(0.75) ? `/api${filled}` : pick(pages)
    if (chance(0.12)) where += pick(garbage)
    if (chance(0.12)) where += pick(queries)
    else if (call.method === 'GET' && holds && chance(0.5))
      where += `?${Object.entries(values)
        .map(
          ([name, value]) =>
            `${name}=${encodeURIComponent(asText(value).replaceAll(/[\ud800-\udfff]/g, '?'))}`,
        )
        .join('&')}`
    const method = chance(0.85)
      ? call.method
      : pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
    const headers: Record<string, string> = {
      'x-forwarded-for': chance(0.9)
        ? `10.9.${Math.floor(random() * 250)}.${Math.floor(random() * 250)}`
        : pick(['x', '::1', '1.2.3.4, 5.6.7.8', '999.1.1.1', 'fe80::1%eth0', '::ffff:1.2.3.4', ',']),
    }
    if (chance(0.4))
      headers['authorization'] = chance(0.7)
        ? `Bearer ${pick(tokens)}`
        : pick([
            'Bearer',
            'Bearer ',
            'Basic eDp5',
            'Bearer a.b.c',
            `Bearer ${'x'.repeat(9000)}`,
            'Bearer ..',
            'Bearer eyJhbGciOiJub25lIn0.e30.',
          ])
    if (chance(0.1)) headers['app_module'] = pick(['', 'x', 'petculture', '\u00ff'])
    if (chance(0.05))
      headers['host'] = pick(['', 'x', '[::1', 'a b', 'evil.example:99999', '%', 'localhost:0'])
    if (chance(0.05))
      headers['cookie'] = pick([
        'vetchat_browser=..',
        'vetchat_browser=',
        '=',
        ';;;',
        'vetchat_here=1',
        'a='.repeat(2000),
      ])
    if (chance(0.05)) headers['idempotency-key'] = pick(['', ' ', 'a b', 'x'.repeat(500)])
    if (chance(0.05)) headers['accept-encoding'] = pick(['br;q=0', '*', 'gzip;q=x', ',,'])
    if (chance(0.05)) headers['if-none-match'] = pick(['*', 'W/', '""', '"x", "y"'])
    if (chance(0.05)) headers['range'] = pick(['bytes=0-', 'bytes=9-1', 'bytes=-', 'x'])
    if (chance(0.03)) headers['expect'] = '100-continue'
    if (chance(0.03)) headers['origin'] = pick(['null', 'x', 'https://evil.example'])
    let body: Buffer | undefined
    if (['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) || chance(0.02)) {
      const made = bodyOf(holds ? values : {})
      body = made.body
      if (made.type !== undefined) headers['content-type'] = made.type
      headers['content-length'] = String(made.body.length)
    }
    return { method, path: where.replaceAll(/[^\x21-\xff]/g, '_'), headers, body }
  }
}
