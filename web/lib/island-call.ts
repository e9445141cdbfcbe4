import type { HumanAction } from '#contract/human.ts'
import { say } from '../ui/say.ts'

/** A plain call from an island, which has no room for all of api.ts. Returns what's wrong, or null. */
export async function callFromIsland(path: string, body: object): Promise<string | null> {
  const { region } = document.documentElement.dataset
  try {
    const answer = await fetch(`/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', app_module: `vetchat-${region}` },
      body: JSON.stringify(body),
      keepalive: true,
    })
    if (answer.ok) return null
    const { errors, human } = (await answer.json()) as { errors?: string[]; human?: HumanAction }
    if (human && !('userConfirmation' in body)) {
      const { solveAlone } = await import('./human.ts')
      return await callFromIsland(path, { ...body, userConfirmation: await solveAlone(human) })
    }
    return errors?.map((error) => say(error)).join(' ') ?? say('An Error Occurred')
  } catch {
    return say('We couldn’t reach VetChat. Please try again.')
  }
}

export const isReachable = () =>
  fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(10_000) }).then(
    () => true,
    () => false,
  )
