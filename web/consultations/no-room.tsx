import { NotFound } from '../shell/not-found.tsx'
import { Shell } from '../shell/shell.tsx'

/** A consult that is not there, or is somebody else's. */
export const NoRoom = () => (
  <Shell>
    <title>This page doesn't exist · VetChat</title>
    <NotFound />
  </Shell>
)
