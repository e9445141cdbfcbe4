import { Note } from '../ui/note.tsx'
import { say, sentence } from '../ui/say.ts'

export const VIDEO_NOT_OPEN = sentence('Video calls aren’t open yet.')
export const TEXT_INSTEAD = sentence(
  'A vet helps you by text. You can send photos and short videos in the chat.',
)

/** Shown where video is sold or started, until calls can be made. */
export const VideoNotOpen = ({ onText }: { onText: () => void }) => (
  <Note tone="wait" icon="video-off" title={say(VIDEO_NOT_OPEN)}>
    <p>{say(TEXT_INSTEAD)}</p>
    <button type="button" className="min-h-11 font-semi underline underline-offset-4" onClick={onText}>
      {say('Choose text instead')}
    </button>
  </Note>
)
