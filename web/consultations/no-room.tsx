import { useEffect } from 'react'
import { NotFound } from '../shell/not-found.tsx'
import { Shell } from '../shell/shell.tsx'
import { say } from '../ui/say.ts'

/** A consult that is not there, or is somebody else's. */
export function NoRoom() {
  useEffect(() => void (document.title = say("This page doesn't exist · VetChat")), [])
  return (
    <Shell>
      <NotFound />
    </Shell>
  )
}
