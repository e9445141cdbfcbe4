import { data } from 'react-router'
import { pageMeta } from '../lib/meta.ts'
import { NotFound } from './not-found.tsx'

export const loader = () => data(null, { status: 404 })

export const meta = () =>
  pageMeta("This page doesn't exist", 'The address may be old, or a letter of it is missing.')

export default NotFound
