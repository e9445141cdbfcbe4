import { useSite } from '../lib/site.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'

/** Phone, WhatsApp and mail, if they're configured. */
function useWays(): { icon: IconName; name: string; says: string; href: string }[] {
  const { phone, whatsapp, email } = useSite().reach ?? {}
  const digits = (number: string) => number.replace(/\D/g, '')
  return [
    ...(phone
      ? [{ icon: 'phone' as const, name: say('Call us'), says: phone, href: `tel:+${digits(phone)}` }]
      : []),
    ...(whatsapp
      ? [
          {
            icon: 'message-circle' as const,
            name: 'WhatsApp',
            says: whatsapp,
            href: `https://wa.me/${digits(whatsapp)}`,
          },
        ]
      : []),
    ...(email
      ? [{ icon: 'mail' as const, name: say('Email us'), says: email, href: `mailto:${email}` }]
      : []),
  ]
}

/** Ways to reach a person, where somebody may need one. Empty if none is configured. */
export function Ways({ className = '' }: { className?: string }) {
  const ways = useWays()
  if (ways.length === 0) return null
  return (
    <ul className={`flex flex-wrap gap-x-6 ${className}`}>
      {ways.map(({ icon, name, says, href }) => (
        <li key={href}>
          <a href={href} className="inline-flex min-h-11 items-center gap-2 text-inherit">
            <Icon name={icon} size={16} />
            <span>
              <span className="sr-only">{name}: </span>
              {says}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
