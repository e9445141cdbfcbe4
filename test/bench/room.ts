import type { CDPSession } from 'playwright'
import { openBrowser } from '#test/browser.ts'
import { callAt, consultAt, remembered, tokenOf } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import { atMost, type Row } from './row.ts'

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
  await using product = await startProduct()
  await using browser = await openBrowser()
  const tokens = { owner: await tokenOf('owner', product.url), vet: await tokenOf('vet', product.url) }
  const { id } = await consultAt(product.url, tokens.owner, 'He is flat')

  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    storageState: remembered(product.url, tokens.owner),
  })
  const weight = await weigh(await page.context().newCDPSession(page))
  await page.goto(`${product.url}/text-chat/${id}`)
  await page.getByText('While you wait').waitFor()
  const reply = (path: string, body: object) =>
    callAt(product.url, `/consultation/${id}/${path}`, body, tokens.vet)
  await reply('take', {})
  await reply('messages', { client_id: 'bench-reply', body: REPLY })
  await page.getByText(REPLY).first().waitFor()
  await page.waitForLoadState('networkidle')
  return [
    atMost(160, {
      job: "from the room's first byte to the vet's first reply",
      unit: 'kB',
      figure: weight.all,
    }),
    atMost(110, { job: 'script of that', unit: 'kB', figure: weight.script }),
  ]
}
