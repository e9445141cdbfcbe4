import type { LoaderFunctionArgs } from 'react-router'
import { renderPage } from '../shell/render-page.ts'
import { RenderedHtml } from '../shell/rendered-html.tsx'
import { pageMeta } from '../lib/meta.ts'
import { say } from '../ui/say.ts'
import { subscribe } from './subscribe.tsx'

export const meta = () =>
  pageMeta(say('Join VetChat'), say('A vet for up to five pets, paid yearly or monthly.'))

export const loader = (args: LoaderFunctionArgs) => renderPage(args, {}, subscribe)

export default RenderedHtml
