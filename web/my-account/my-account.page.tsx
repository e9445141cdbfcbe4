import type { LoaderFunctionArgs } from 'react-router'
import { ownPage } from '../own-page.tsx'
import { pageMeta } from '../lib/meta.ts'
import { renderPage } from '../shell/render-page.ts'
import { RenderedHtml } from '../shell/rendered-html.tsx'
import { say } from '../ui/say.ts'
import { MyAccount } from './my-account.tsx'

export const meta = () => pageMeta(say('My account'), say('Your pets, consultations and membership.'))

export const loader = (args: LoaderFunctionArgs) => renderPage(args, {}, ownPage(MyAccount))

export default RenderedHtml
