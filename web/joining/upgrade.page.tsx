import type { LoaderFunctionArgs } from 'react-router'
import { draw } from '../shell/draw.ts'
import { Drawn } from '../shell/drawn.tsx'
import { pageMeta } from '../lib/meta.ts'
import { say } from '../ui/say.ts'
import { upgrade } from './upgrade.tsx'

export const meta = () =>
  pageMeta(say('Become a member'), say('Add a membership for the pets on your account.'))

export const loader = (args: LoaderFunctionArgs) => draw(args, {}, upgrade)

export default Drawn
