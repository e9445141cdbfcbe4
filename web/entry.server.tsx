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
import { listed, rowOf } from './lib/kinds.ts'
import { fill, pageOf } from './lib/page-request.ts'
import { FrameContext, frameData } from './lib/site.ts'

type Web = WebBundle<Request, Response>['entry']['module']

export { listed, rowOf }

/** The server's way in: it hands over what it knows and gets the finished answer. */
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
      // What was waited for stands in its place, however much of it there is.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        failed = true
        page.report(error)
      },
    },
  )
  // Pages are kept or compressed whole, so there is nothing to gain from sending the first half early.
  await body.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(body, { status: failed ? 500 : status, headers })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  const visitorsMistake = isRouteErrorResponse(error) && error.status < 500
  if (!request.signal.aborted && !visitorsMistake) pageOf(context as RouterContextProvider).report(error)
}
