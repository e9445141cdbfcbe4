import type { LoaderFunctionArgs } from 'react-router'
import { renderPage } from '../shell/render-page.ts'
import { RenderedHtml } from '../shell/rendered-html.tsx'
import { pageMeta } from '../lib/meta.ts'
import { say } from '../ui/say.ts'
import { upgrade } from './upgrade.tsx'

export const meta = () =>
  pageMeta(say('Become a member'), say('Add a membership for the pets on your account.'))

export const loader = (args: LoaderFunctionArgs) => renderPage(args, {}, upgrade)

export default RenderedHtml
