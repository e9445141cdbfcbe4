import type { LoaderFunctionArgs } from 'react-router'
import { draw } from '../shell/draw.ts'
import { Drawn } from '../shell/drawn.tsx'
import { pageMeta } from '../lib/meta.ts'
import { say } from '../ui/say.ts'
import { subscribe } from './subscribe.tsx'

export const meta = () =>
  pageMeta(say('Join VetChat'), say('A vet for up to five pets, paid yearly or monthly.'))

export const loader = (args: LoaderFunctionArgs) => draw(args, {}, subscribe)

export default Drawn
