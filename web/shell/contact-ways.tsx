import { useSite } from '../lib/site.ts'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'

const digitsOf = (number = '') => number.replace(/\D/g, '')

/** Phone, WhatsApp and mail, if they're configured. */
function useWays() {
  const { phone, whatsapp, email } = useSite().reach ?? {}
  const ways = [
    { icon: 'phone', name: say('Call us'), says: phone, href: `tel:+${digitsOf(phone)}` },
    { icon: 'message-circle', name: 'WhatsApp', says: whatsapp, href: `https://wa.me/${digitsOf(whatsapp)}` },
    { icon: 'mail', name: say('Email us'), says: email, href: `mailto:${email}` },
  ] as const
  return ways.filter(({ says }) => says)
}

/** ContactWays to reach a person, where somebody may need one. Empty if none is configured. */
export function ContactWays({ className = '' }: { className?: string }) {
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
