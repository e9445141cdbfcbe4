import * as calls from '#contract/video.ts'
import { listen } from '../http/serve.ts'
import * as writes from './writes.ts'

export const videoSockets = listen(calls, writes)
