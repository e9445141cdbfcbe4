import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'

export const Check = ({
  icon,
  amber = false,
  title,
  more,
  button,
  children,
}: {
  icon: IconName
  amber?: boolean
  title: ReactNode
  more?: string
  button?: ReactNode
  children?: ReactNode
}) => (
  <li className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 py-3 first:pt-0">
    <span
      className={`grid size-9 place-items-center rounded-full ${amber ? 'bg-amber-soft text-amber-soft-ink' : 'bg-green-soft text-green-soft-ink'}`}
    >
      <Icon name={icon} />
    </span>
    <div className="leading-snug">
      <div className="font-semi">{title}</div>
      {more && <p className="text-14 text-ink-soft">{more}</p>}
    </div>
    {button}
    {children && <div className="col-span-full">{children}</div>}
  </li>
)

export function Device({
  icon,
  title,
  kind,
  devices,
  label,
  value,
  onValue,
}: {
  icon: IconName
  title: ReactNode
  kind: MediaDeviceKind
  devices: MediaDeviceInfo[]
  label: string
  value: string
  onValue: (device: string) => void
}) {
  const [changes, setChanges] = useState(false)
  const ours = devices.filter((device) => device.kind === kind && device.deviceId)
  const name = ours.find(({ deviceId }) => deviceId === value)?.label
  return (
    <Check
      icon={icon}
      title={title}
      more={kind === 'videoinput' ? name : undefined}
      button={
        ours.length > 1 && (
          <Button
            variant="text"
            size={44}
            aria-label={say('Change {what}', { what: label.toLowerCase() })}
            onClick={() => setChanges(!changes)}
          >
            {say('Change')}
          </Button>
        )
      }
    >
      {changes && (
        <select
          aria-label={label}
          className="control"
          value={value}
          onChange={({ target }) => onValue(target.value)}
        >
          {ours.map((device, at) => (
            <option key={device.deviceId} value={device.deviceId}>
              {device.label || `${label} ${at + 1}`}
            </option>
          ))}
        </select>
      )}
    </Check>
  )
}

export function TellMe() {
  const [answer, setAnswer] = useState(() => ('Notification' in window ? Notification.permission : 'denied'))
  if (answer === 'denied') return null
  return (
    <Check
      icon="phone"
      title={say('Tell me when the vet rings')}
      more={
        answer === 'granted'
          ? say('Your device will show it while this page is open')
          : say('Even while you’re looking at another page')
      }
      button={
        answer === 'default' && (
          <Button
            variant="text"
            size={44}
            onClick={() => void Notification.requestPermission().then(setAnswer)}
          >
            {say('Allow')}
          </Button>
        )
      }
    />
  )
}
