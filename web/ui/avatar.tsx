import type { ReactNode } from 'react'
import { sentence } from './say.ts'

/** The species with a drawing, in the order of their numbers, with their names. */
export const DRAWN_SPECIES = [
  ['dog', sentence('Dog')],
  ['cat', sentence('Cat')],
  ['rabbit', sentence('Rabbit')],
  ['guinea-pig', sentence('Guinea pig')],
  ['bird', sentence('Bird')],
  ['rat', sentence('Rat')],
  ['mouse', sentence('Mouse')],
  ['snake', sentence('Snake')],
  ['turtle', sentence('Turtle')],
  ['unicorn', sentence('Unicorn')],
  ['other', sentence('Other')],
] as const

export type SpeciesName = (typeof DRAWN_SPECIES)[number][0]

/** Text in a circle only grows with the circle. */
const sizes = {
  32: 'size-8 text-[14px]',
  40: 'size-10 text-[14px]',
  44: 'size-11 text-[14px]',
  48: 'size-12 text-[16px]',
  56: 'size-14 text-[18px]',
  64: 'size-16 text-[18px]',
  96: 'size-24 text-[28px]',
}

type Size = { size?: keyof typeof sizes }

const round = (size: keyof typeof sizes) =>
  `grid flex-none place-items-center overflow-hidden rounded-full leading-none font-semi tracking-[0] ${sizes[size]}`

const Round = ({ src, size }: { src: string; size: keyof typeof sizes }) => (
  <span className={`${round(size)} bg-green-soft`}>
    <img
      src={src}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className="size-full object-cover"
    />
  </span>
)

type PetAvatarProps = Size & { species: SpeciesName; picture?: string | null }

/** A pet's picture, or its species' drawing. The name is beside it. */
export const PetAvatar = ({ species, picture, size = 48 }: PetAvatarProps) => (
  <Round src={picture || `/avatars/${species}.svg`} size={size} />
)

/** A vet's picture, or their initials: "Dr Anika Naidoo" is AN. */
export function VetAvatar({ name, picture, size = 48 }: Size & { name: string; picture?: string | null }) {
  if (picture) return <Round src={picture} size={size} />
  const names = name.replace(/^Dr\.?\s+/i, '').split(/\s+/)
  const initials = [names[0], names.length > 1 ? names.at(-1) : ''].map((part) => part?.[0] ?? '').join('')
  return (
    <span aria-hidden="true" className={`${round(size)} bg-green text-on-green`}>
      {initials.toUpperCase()}
    </span>
  )
}

/** A vet with the pet at the lower right. The ring takes the background's colour from --ring. */
export const AvatarPair = ({ children }: { children: [ReactNode, ReactNode] }) => (
  <span className="relative inline-block pr-4 pb-2">
    {children[0]}
    <span className="absolute right-0 bottom-0 rounded-full shadow-[0_0_0_3px_var(--ring,var(--color-card))]">
      {children[1]}
    </span>
  </span>
)
