import type { LoaderFunctionArgs } from 'react-router'
import { ownPage } from '../own-page.tsx'
import { pageMeta } from '../lib/meta.ts'
import { renderPage } from '../shell/render-page.ts'
import { RenderedHtml } from '../shell/rendered-html.tsx'
import { say } from '../ui/say.ts'
import { Care } from './care.tsx'

export const meta = () =>
  pageMeta(say('Care plans'), say('What each of your pets needs to stay well, and when.'))

export const loader = (args: LoaderFunctionArgs) => renderPage(args, {}, ownPage(Care))

export default RenderedHtml
