import { data } from 'react-router'
import { pageMeta } from '../lib/meta.ts'
import { say } from '../ui/say.ts'
import { NotFound } from './not-found.tsx'

export const loader = () => data(null, { status: 404 })

export const meta = () =>
  pageMeta(say("This page doesn't exist"), say('The address may be out of date, or a letter may be missing.'))

export default NotFound
