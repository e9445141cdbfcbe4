/** Frames that our pages never send, or that ask for somebody else's consultation. */
export function badFrames(foreign: number, random: () => number): () => string | Uint8Array {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  // Anyone may leave a room they aren't in.
  const events = [
    'joinRoom',
    'sendMessage',
    'sendMarks',
    'tellTyping',
    'messageSaid',
    'connect',
    'disconnect',
    'error',
    '__proto__',
    'constructor',
    '',
    'x'.repeat(2000),
  ]
  const payloads: unknown[] = [
    null,
    1,
    'x',
    [],
    {},
    { toString: 1 },
    { a: '\0' },
    { a: 'x'.repeat(5000) },
    [[[[]]]],
    { consultation: -1 },
    { consultation: '1e3', after: {} },
    { consultation: foreign, client_id: 'x', body: '' },
    { consultation: foreign, client_id: 'forged-frame', body: 'forged \0' },
    { consultation: [foreign], writing: 1 },
  ]
  /** Valid frames about somebody else's consultation. */
  const notTheirs: [string, object][] = [
    ['joinRoom', { consultation: foreign }],
    ['joinRoom', { consultation: foreign, after: 0 }],
    ['sendMessage', { consultation: foreign, client_id: 'forged-frame', body: 'forged' }],
    ['sendMarks', { consultation: foreign, delivered: 1, seen: 1 }],
    ['tellTyping', { consultation: foreign, writing: true }],
  ]
  const number = () => Math.floor(random() * 1e6)
  return () =>
    pick<() => string | Uint8Array>([
      () => '4',
      () => '42',
      () => '42[',
      () => '42[]',
      () => '42{}',
      () => '42[1]',
      () => '42["x"',
      () => `42${JSON.stringify([pick(events), pick(payloads)])}`,
      () => `42${number()}${JSON.stringify([pick(events), pick(payloads)])}`,
      () => `42${number()}${JSON.stringify([pick(events), pick(payloads), pick(payloads)])}`,
      () => `42${number()}${JSON.stringify(pick(notTheirs))}`,
      () => `42${JSON.stringify(pick(notTheirs))}`,
      () => `42/other,${JSON.stringify([pick(events)])}`,
      () => '40/admin,{}',
      () => '43999999["x"]',
      () => '451-["x",{"_placeholder":true,"num":0}]',
      () => '459999999999-["x"]',
      () => '44{"message":"x"}',
      () => '47',
      () => '9',
      () => '',
      () => '6',
      () => '\0',
      () => `42${'['.repeat(20_000)}`,
      () => 'x'.repeat(70_000),
      () => Uint8Array.from({ length: 40 }, () => Math.floor(random() * 256)),
    ])()
}
