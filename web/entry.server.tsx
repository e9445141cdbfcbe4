import { renderToReadableStream } from 'react-dom/server'
import {
  createRequestHandler,
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router'
import type { WebBundle } from '#contract/page.ts'
import { listed, rowOf } from './lib/page-rows.ts'
import { fill, pageOf } from './lib/page-request.ts'
import { FrameContext, frameData } from './lib/site.ts'

type Web = WebBundle<Request, Response>['entry']['module']

export { listed, rowOf }

/** The server calls this with what it knows about the request, and gets the finished response. */
export const answer: Web['answer'] = (bundle, mode, request, page) => {
  const context = new RouterContextProvider()
  fill(context, page)
  return createRequestHandler(bundle as ServerBuild, mode)(request, context)
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  const page = pageOf(context)
  const nonce = page.nonce || undefined
  let failed = false
  const body = await renderToReadableStream(
    <FrameContext value={frameData(page)}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </FrameContext>,
    {
      nonce,
      signal: request.signal,
      // Sends the whole page in one piece, so that suspended parts are in their place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        failed = true
        page.report(error)
      },
    },
  )
  // Pages are cached or compressed whole, so sending the first half early gains nothing.
  await body.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(body, { status: failed ? 500 : status, headers })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  const visitorsMistake = isRouteErrorResponse(error) && error.status < 500
  if (!request.signal.aborted && !visitorsMistake) pageOf(context as RouterContextProvider).report(error)
}
