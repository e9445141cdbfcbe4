const SPAN = /^([01]\d|2[0-3]):([0-5]\d) ?[-–] ?([01]\d|2[0-3]):([0-5]\d)$/

/**
 * A day's opening hours as people write them: "18:00-08:00", "all day" or "closed", which is null. An end that isn't
 * after the beginning is on the next day. Undefined if they can't be read.
 */
export function hoursOf(said: string): { from: string; to: string } | null | undefined {
  const plain = said.trim().toLowerCase()
  if (plain === 'closed') return null
  if (plain === 'all day') return { from: '00:00', to: '24:00' }
  const [, ...parts] = SPAN.exec(plain) ?? []
  return parts.length === 4 ? { from: `${parts[0]}:${parts[1]}`, to: `${parts[2]}:${parts[3]}` } : undefined
}
