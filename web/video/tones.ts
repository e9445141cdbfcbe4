let audio: AudioContext | undefined

/** Two soft tones. A browser stays silent until the person has pressed something. */
export function playTones() {
  audio ??= new AudioContext()
  void audio.resume()
  const at = audio.currentTime
  for (const [frequency, from] of [
    [660, 0],
    [880, 0.28],
  ] as const) {
    const tone = new OscillatorNode(audio, { frequency })
    const volume = new GainNode(audio, { gain: 0 })
    volume.gain.setValueAtTime(0, at + from)
    volume.gain.linearRampToValueAtTime(0.2, at + from + 0.03)
    volume.gain.exponentialRampToValueAtTime(0.001, at + from + 0.5)
    tone.connect(volume).connect(audio.destination)
    tone.start(at + from)
    tone.stop(at + from + 0.52)
  }
}
