import { useEffect } from 'react'
import { NotFound } from '../shell/not-found.tsx'
import { Shell } from '../shell/shell.tsx'
import { say } from '../ui/say.ts'

/** For a consult that doesn't exist or belongs to somebody else. */
export function NoRoom() {
  useEffect(() => void (document.title = say("This page doesn't exist · VetChat")), [])
  return (
    <Shell>
      <NotFound />
    </Shell>
  )
}
