import { data, type MetaArgs, useLocation } from 'react-router'
import { notFoundMeta, pageMeta } from '../lib/meta.ts'
import { say } from '../ui/say.ts'
import { FILE, NotFound } from './not-found.tsx'

export const loader = () => data(null, { status: 404 })

/** The server also shows this page instead of a file that it can't send. */
const isFile = (pathname: string) => pathname.startsWith('/media/')

export const meta = ({ location }: MetaArgs) =>
  isFile(location.pathname) ? pageMeta(say(FILE.title), say(FILE.says)) : notFoundMeta()

export default function NotFoundPage() {
  return <NotFound isFile={isFile(useLocation().pathname)} />
}
