import type { CallState } from './call-state.ts'
import { cameras, getPicture, getSound, otherCamera, troubleOf, type Wanted } from './media.ts'

interface OwnMediaOptions {
  media: MediaStream
  wanted: Wanted
  isMuted: () => boolean
  set: (change: Partial<CallState>) => void
  /** Replaces the sent track, or sends none. */
  put: (kind: 'audio' | 'video', track: MediaStreamTrack | null) => Promise<void>
}

export const facingOf = (track: MediaStreamTrack) =>
  track.getSettings().facingMode === 'environment' ? 'environment' : 'user'

export function openOwnMedia({ media, wanted, isMuted, set, put }: OwnMediaOptions) {
  const tracks = { audio: media.getAudioTracks()[0] ?? null, video: media.getVideoTracks()[0] ?? null }
  /** The camera that was used last. */
  let last = wanted
  let isClosed = false

  const isHeld = () => Boolean(tracks.audio?.muted || tracks.video?.muted)
  const look = () => set({ held: isHeld() })
  function watch(track: MediaStreamTrack | null, lose: () => Promise<void>) {
    track?.addEventListener('mute', look)
    track?.addEventListener('unmute', look)
    // A track that we stop ourselves has no such event.
    track?.addEventListener('ended', () => void lose())
  }
  async function loseCamera() {
    await putCamera(null)
    set({ broken: 'missing' })
  }
  async function replaceMicrophone() {
    const sound = await getSound({}).catch(() => null)
    if (isClosed) return sound?.getTracks().forEach((track) => track.stop())
    tracks.audio?.stop()
    tracks.audio = sound?.getAudioTracks()[0] ?? null
    if (tracks.audio) tracks.audio.enabled = !isMuted()
    watch(tracks.audio, replaceMicrophone)
    set({ unheard: tracks.audio === null, held: isHeld() })
    await put('audio', tracks.audio)
  }

  async function putCamera(track: MediaStreamTrack | null) {
    tracks.video?.stop()
    tracks.video = track
    watch(track, loseCamera)
    set({
      camera: track !== null,
      local: track && new MediaStream([track]),
      hidden: false,
      held: isHeld(),
      ...(track && { facing: facingOf(track), broken: null }),
    })
    await put('video', track)
  }

  const count = () =>
    void cameras().then(
      ({ length }) => set({ switches: length > 1 }),
      () => {},
    )
  const changed = () => {
    // A microphone that was connected again is used straight away.
    if (!tracks.audio) void replaceMicrophone()
    count()
  }
  count()
  navigator.mediaDevices.addEventListener('devicechange', changed)
  watch(tracks.video, loseCamera)
  watch(tracks.audio, replaceMicrophone)

  return {
    tracks,
    putCamera,
    replaceMicrophone,
    /** The camera's new track, or null after showing the reason. */
    async turnOn(): Promise<MediaStreamTrack | null> {
      const track = await getPicture(last).catch((error: unknown) => void set({ broken: troubleOf(error) }))
      if (!isClosed) return track ?? null
      track?.stop()
      return null
    },
    async switchCamera() {
      if (!tracks.video) return
      const next = await otherCamera(tracks.video)
      // Phones only allow one camera at a time.
      tracks.video.stop()
      let track = await getPicture(next).catch(() => null)
      if (track) last = next
      else track = await getPicture(last).catch(() => null)
      if (isClosed) return track?.stop()
      await putCamera(track)
    },
    close() {
      isClosed = true
      navigator.mediaDevices.removeEventListener('devicechange', changed)
      for (const track of [tracks.audio, tracks.video]) track?.stop()
    },
  }
}
