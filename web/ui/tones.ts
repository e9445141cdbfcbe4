let audio: AudioContext | undefined

/** Pitches in hertz, each with its start in seconds. */
export type Tones = readonly (readonly [pitch: number, from: number])[]

/** Plays soft tones. A browser stays silent until the person has pressed something. */
export function playTones(tones: Tones, { volume = 0.12, seconds = 0.3 } = {}) {
  audio ??= new AudioContext()
  void audio.resume()
  const at = audio.currentTime
  for (const [frequency, from] of tones) {
    const tone = new OscillatorNode(audio, { frequency })
    const gain = new GainNode(audio, { gain: 0 })
    gain.gain.setValueAtTime(0, at + from)
    gain.gain.linearRampToValueAtTime(volume, at + from + 0.02)
    gain.gain.exponentialRampToValueAtTime(0.001, at + from + seconds)
    tone.connect(gain).connect(audio.destination)
    tone.start(at + from)
    tone.stop(at + from + seconds + 0.02)
  }
}
