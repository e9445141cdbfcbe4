import { sentence, type Sentence } from '../ui/say.ts'
import { keepInTab, keptInTab } from '../ui/tab-storage.ts'

export type Trouble =
  | 'refused'
  /** The site is allowed, but the device doesn't allow it to the browser. */
  | 'system'
  | 'missing'
  | 'taken'

export const CAMERA_TROUBLES: Record<Trouble, Sentence> = {
  refused: sentence('Camera is not allowed yet'),
  system: sentence('Your device doesn’t allow the camera yet'),
  missing: sentence('We couldn’t find a camera'),
  taken: sentence('The camera won’t start'),
}

export const troubleOf = (error: unknown): Trouble => {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError')
    return /system/i.test((error as Error).message) ? 'system' : 'refused'
  return name === 'NotReadableError' || name === 'AbortError' ? 'taken' : 'missing'
}

export interface Wanted {
  camera?: string
  microphone?: string
  facing?: 'user' | 'environment'
}

const exactly = (deviceId: string | undefined) => (deviceId ? { deviceId: { exact: deviceId } } : {})

const pictureAs = ({ camera, facing = 'user' }: Wanted): MediaTrackConstraints => ({
  width: { ideal: 1280 },
  height: { ideal: 720 },
  frameRate: { ideal: 24, max: 30 },
  ...(camera ? exactly(camera) : { facingMode: facing }),
})
const soundAs = ({ microphone }: Wanted): MediaTrackConstraints => ({
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
  ...exactly(microphone),
})

// Some apps' own browsers have no media devices at all, which rejects like a missing one.
export const getBoth = async (wanted: Wanted) =>
  navigator.mediaDevices.getUserMedia({ video: pictureAs(wanted), audio: soundAs(wanted) })
export const getSound = async (wanted: Wanted) =>
  navigator.mediaDevices.getUserMedia({ audio: soundAs(wanted) })
export const getPicture = async (wanted: Wanted) =>
  (await navigator.mediaDevices.getUserMedia({ video: pictureAs(wanted) })).getVideoTracks()[0]!

/** The camera to switch to: on a phone the one that faces the other way, on a computer the next one. */
export async function otherCamera(now: MediaStreamTrack): Promise<Wanted> {
  const { facingMode, deviceId } = now.getSettings()
  if (facingMode) return { facing: facingMode === 'user' ? 'environment' : 'user' }
  const all = await cameras()
  const next = all[(all.findIndex((one) => one.deviceId === deviceId) + 1) % all.length]
  return next ? { camera: next.deviceId } : {}
}

export const cameras = async () =>
  (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput')

/** Picture and sound, or only sound if there is no camera. */
export async function getWhatThereIs(wanted: Wanted, soundOnly: boolean): Promise<MediaStream> {
  if (soundOnly) return getSound(wanted)
  try {
    return await getBoth(wanted)
  } catch (error) {
    if (troubleOf(error) === 'refused') throw error
    return getSound(wanted)
  }
}

/** Whether the device asks pages to use little data. */
export const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

const IN_CALL = 'vetchat call'
interface InCall {
  consultation: number
  muted: boolean
  camera: boolean
}
/** The call that was open in this tab before a reload. What was off in it stays off. */
export const wasIn = () => keptInTab<InCall>(IN_CALL)
export const keepIn = (call: InCall) => keepInTab(IN_CALL, JSON.stringify(call))
export const forgetIn = () => keepInTab(IN_CALL, null)

/* What was chosen in the check applies to all calls in this browser tab. */

const CHECKED = 'vetchat video'
interface Checked extends Wanted {
  soundOnly?: boolean
}

export const checked = () => keptInTab<Checked>(CHECKED)
export const keepChecked = (choice: Checked) => keepInTab(CHECKED, JSON.stringify(choice))

/** A photo at the camera's full size if the browser can take one, otherwise the largest frame. */
export async function takePhoto(track: MediaStreamTrack): Promise<File | null> {
  const blob = (await fromSensor(track)) ?? (await fromFrame(track))
  return blob && new File([blob], 'photo.jpg', { type: blob.type })
}

interface Sensor {
  takePhoto: () => Promise<Blob>
}
async function fromSensor(track: MediaStreamTrack): Promise<Blob | null> {
  const { ImageCapture } = globalThis as { ImageCapture?: new (track: MediaStreamTrack) => Sensor }
  if (!ImageCapture) return null
  const blob = await new ImageCapture(track).takePhoto().catch(() => null)
  return blob && /^image\/(jpeg|png)$/.test(blob.type) && blob.size > 0 ? blob : null
}

const LARGEST = { width: { ideal: 2560 }, height: { ideal: 1440 } }

async function fromFrame(track: MediaStreamTrack): Promise<Blob | null> {
  const usual = track.getConstraints()
  await track.applyConstraints({ ...usual, ...LARGEST }).catch(() => {})
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.srcObject = new MediaStream([track])
  await video.play().catch(() => {})
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  video.srcObject = null
  await track.applyConstraints(usual).catch(() => {})
  if (canvas.width === 0) return null
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92))
}
