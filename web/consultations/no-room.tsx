import { NotFound } from '../shell/not-found.tsx'
import { Shell } from '../shell/shell.tsx'
import { say } from '../ui/say.ts'

/** A consult that is not there, or is somebody else's. */
export const NoRoom = () => (
  <Shell>
    <title>{say("This page doesn't exist · VetChat")}</title>
    <NotFound />
  </Shell>
)
