import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Link } from './link.tsx'

const look =
  'inline-grid size-11 flex-none place-items-center rounded-full text-inherit no-underline hover:bg-green-soft hover:text-green-soft-ink focus-visible:rounded-full aria-disabled:cursor-default aria-disabled:bg-transparent aria-disabled:text-ink-soft aria-disabled:opacity-50'

type Named = { label: string; icon: IconName; iconSize?: 20 | 24 }

export const IconButton = ({
  label,
  icon,
  iconSize,
  className = '',
  ...rest
}: ComponentProps<'button'> & Named) => (
  <button type="button" {...rest} aria-label={label} className={`${look} ${className}`}>
    <Icon name={icon} size={iconSize} />
  </button>
)

export const IconLink = ({ label, icon, iconSize, className = '', ...rest }: ComponentProps<'a'> & Named) => (
  <Link {...rest} aria-label={label} className={`${look} ${className}`}>
    <Icon name={icon} size={iconSize} />
  </Link>
)
