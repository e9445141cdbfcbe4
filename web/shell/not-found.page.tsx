import { data } from 'react-router'
import { notFoundMeta } from '../lib/meta.ts'
import { NotFound } from './not-found.tsx'

export const loader = () => data(null, { status: 404 })

export const meta = notFoundMeta

export default NotFound
