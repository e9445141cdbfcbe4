import { useEffect } from 'react'
import { VetAvatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { playRing } from './tones.ts'

const EVERY_MS = 2500

/** Unless something on the page has it, such as the box in which somebody is writing. */
function takeFocus(ring: HTMLElement | null) {
  if (document.activeElement === document.body) ring?.focus()
}

/** Shows that the vet rings: on the page, with a sound, by vibration if possible, and by a notification if allowed. */
export function Ring({
  vet,
  pet,
  onAnswer,
  onDecline,
}: {
  vet: string
  pet: string
  onAnswer: () => void
  onDecline: () => void
}) {
  useRinging(vet, pet)
  return (
    <section
      ref={takeFocus}
      role="alertdialog"
      tabIndex={-1}
      aria-label={say('{vet} is calling you', { vet })}
      className="fixed inset-x-3 above-keyboard z-50 mx-auto stack max-w-[448px] gap-5 rounded-panel bg-stage p-5 text-on-plate shadow-float [&_:focus-visible]:outline-on-plate sm:top-4 sm:bottom-auto"
    >
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4" role="alert">
        <VetAvatar name={vet} size={56} />
        <p className="leading-snug">
          <b className="block text-18 font-semi">{vet}</b>
          <span className="text-on-plate-soft">{say('Video call about {pet}', { pet })}</span>
        </p>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Button
          className="border-plate-edge! bg-transparent! text-on-plate! hover:bg-plate-key!"
          onClick={onDecline}
        >
          {say('Not now')}
        </Button>
        <Button variant="primary" icon="video" onClick={onAnswer}>
          {say('Answer')}
        </Button>
      </div>
      <p className="text-center text-14 text-on-plate-soft">
        {say('About 5 MB a minute. Nothing is recorded.')}
      </p>
    </section>
  )
}

/** The same in the device check, whose own button answers. */
export function Ringing({ vet, pet }: { vet: string; pet: string }) {
  useRinging(vet, pet)
  return (
    <p
      role="alert"
      className="flex items-center gap-3 rounded-card bg-green-soft p-4 font-semi text-green-soft-ink"
    >
      <Icon name="phone" />
      {say('{vet} is calling you', { vet })}
    </p>
  )
}

function useRinging(vet: string, pet: string) {
  useEffect(() => {
    const before = document.title
    const title = say('{vet} is calling you', { vet })
    document.title = title
    const ring = () => {
      try {
        playRing()
      } catch {
        // A ring that can't be heard is still seen.
      }
      navigator.vibrate?.([300, 150, 300])
    }
    ring()
    const timer = setInterval(ring, EVERY_MS)
    const told = notify(title, say('Video call about {pet}', { pet }))
    return () => {
      clearInterval(timer)
      navigator.vibrate?.(0)
      if (document.title === title) document.title = before
      void told.then((close) => close())
    }
  }, [vet, pet])
}

const TAG = 'vetchat-ring'

/** Returns a function that removes the notification. Phones only show notifications through the service worker. */
async function notify(title: string, body: string): Promise<() => void> {
  if (!('Notification' in window) || Notification.permission !== 'granted' || document.hasFocus())
    return () => {}
  if (await navigator.serviceWorker?.getRegistration().catch(() => undefined)) {
    // A worker that is still being installed can't show any.
    const registration = await navigator.serviceWorker.ready
    await registration.showNotification(title, { body, tag: TAG, requireInteraction: true }).catch(() => {})
    return () =>
      void registration
        .getNotifications({ tag: TAG })
        .then((shown) => shown.forEach((one) => one.close()))
        .catch(() => {})
  }
  const shown = new Notification(title, { body, tag: TAG })
  shown.addEventListener('click', () => {
    window.focus()
    shown.close()
  })
  return () => shown.close()
}
