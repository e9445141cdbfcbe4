import { useEffect, useState } from 'react'
import { say } from '../ui/say.ts'

const BARS = 12
/** With this factor, speech at arm's length fills about half the meter. */
const LOUDNESS = 40

/** The microphone's volume, ten times a second. */
export function Level({ stream }: { stream: MediaStream }) {
  const [level, setLevel] = useState(0)
  const [heard, setHeard] = useState(false)
  useEffect(() => {
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(stream).connect(analyser)
    const wave = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(wave)
      const loud = Math.sqrt(wave.reduce((sum, value) => sum + value * value, 0) / wave.length)
      const bars = Math.min(BARS, Math.round(loud * LOUDNESS))
      setLevel(bars)
      if (bars > 1) setHeard(true)
    }, 100)
    return () => {
      clearInterval(timer)
      void context.close()
    }
  }, [stream])
  return (
    <>
      <p role="status">{heard ? say('We can hear you') : say('Say something')}</p>
      <div
        role="meter"
        aria-label={say('Microphone level')}
        aria-valuemin={0}
        aria-valuemax={BARS}
        aria-valuenow={level}
        className="mt-1 grid max-w-40 grid-cols-12 gap-[3px]"
      >
        {Array.from({ length: BARS }, (_, bar) => (
          <span key={bar} className={`h-2 rounded-[2px] ${bar < level ? 'bg-green' : 'bg-line'}`} />
        ))}
      </div>
    </>
  )
}
