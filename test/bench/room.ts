import type { CDPSession } from 'playwright'
import { openBrowser } from '#test/browser.ts'
import { remembered } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import { signIn } from '../drills/load.ts'
import type { Row } from './run.ts'

const REPLY = 'Is he drinking, and are his gums pink?'

/** Counts the bytes on the network as the browser sees them, with headers and the socket. */
async function weigh(session: CDPSession) {
  const types = new Map<string, string>()
  const weight = { all: 0, script: 0 }
  await session.send('Network.enable')
  session.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    weight.all += encodedDataLength / 1000
    if (types.get(requestId) === 'Script') weight.script += encodedDataLength / 1000
  })
  for (const event of ['Network.webSocketFrameReceived', 'Network.webSocketFrameSent'] as const)
    session.on(event, ({ response }) => void (weight.all += response.payloadData.length / 1000))
  return weight
}

/** The bytes that a text consult transfers from the room's first byte to the vet's first reply, with nothing cached. */
export default async function room(): Promise<Row[]> {
  const [product, browser] = await Promise.all([startProduct(), openBrowser()])
  const tokens = { owner: await signIn(product.url, 'owner'), vet: await signIn(product.url, 'vet') }
  const call = async <T>(who: 'owner' | 'vet', path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${product.url}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${tokens[who]}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const [pet] = await call<{ id: number }[]>('owner', '/pet')
  const asked = { pet_id: pet!.id, pet_issue: 'He is flat', type: 1, agreed: true, terms: '1' }
  const { consultation } = await call<{ consultation: { id: number } }>('owner', '/consultation', asked)

  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    storageState: remembered(product.url, tokens.owner),
  })
  const weight = await weigh(await page.context().newCDPSession(page))
  await page.goto(`${product.url}/text-chat/${consultation.id}`)
  await page.getByText('While you wait').waitFor()
  await call('vet', `/consultation/${consultation.id}/take`, {})
  await call('vet', `/consultation/${consultation.id}/messages`, { client_id: 'bench-reply', body: REPLY })
  await page.getByText(REPLY).first().waitFor()
  await page.waitForLoadState('networkidle')
  await browser.close()
  await product.remove()
  return [
    {
      job: "from the room's first byte to the vet's first reply",
      unit: 'kB',
      figure: weight.all,
      goal: 'at most 160 kB',
      met: weight.all <= 160,
    },
    {
      job: 'script of that',
      unit: 'kB',
      figure: weight.script,
      goal: 'at most 110 kB',
      met: weight.script <= 110,
    },
  ]
}
