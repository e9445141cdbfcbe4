import type { OpenConsult } from '#contract/consultations.ts'
import { askAs } from '../lib/ask-as.ts'
import { choose } from '../lib/session.ts'
import { say } from '../ui/say.ts'
import { roomOf } from './room-address.ts'

/*
 * Fills the strip of public pages. Only browsers that know of an open consult load it. It takes as little from the
 * session as it can: what it shares with islands is loaded by everybody.
 */

const root = document.documentElement

const openFor = async (token: string | null) =>
  token ? ((await askAs<OpenConsult[]>('/consultation/open', token)) ?? []) : []

/** "Dr Anika Naidoo" becomes "Dr Naidoo". */
const called = (vet: string) => vet.replace(/^Dr\.? .* (\S+)$/, 'Dr $1')

function sayOf({ vet_name, unread }: OpenConsult) {
  if (!vet_name) return say('Waiting for a vet')
  const vet = called(vet_name)
  return unread > 0 ? say('{vet} answered', { vet }) : say('{vet} is with you', { vet })
}

function fill(strip: HTMLAnchorElement, one: OpenConsult) {
  const part = (name: string) => strip.querySelector<HTMLElement>(`[data-${name}]`)!
  const { pet, unread } = one
  strip.href = roomOf(one)
  const drawings = strip.dataset['drawings']!.split(' ')
  strip.querySelector('img')!.src = `/avatars/${drawings[(pet.species_id ?? 0) - 1] ?? 'other'}.svg`
  part('says').textContent = sayOf(one)
  part('about').textContent = ` ${say('about {pet}', { pet: pet.name })}`
  const count = part('count')
  count.hidden = unread === 0
  count.textContent = String(unread)
  count.ariaLabel = unread === 1 ? say('1 new message') : say('{n} new messages', { n: unread })
  count.role = 'img'
}

async function look() {
  const own = root.hasAttribute('data-in') ? localStorage.getItem('token') : null
  const found = await Promise.all([openFor(own), openFor(localStorage.getItem('singleToken'))])
  const latest = found.flat().toSorted((a, b) => b.unread - a.unread)[0]
  const strip = document.querySelector<HTMLAnchorElement>('[data-strip]')
  if (latest && strip) return fill(strip, latest)
  choose({ open: undefined })
  root.removeAttribute('data-consult')
}

// Without an answer the strip keeps its plain words, which lead back too.
look().catch(() => {})
