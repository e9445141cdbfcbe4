import type { OpenConsult } from '#contract/consultations.ts'
import { askAs } from '../lib/ask-as.ts'
import { choose } from '../lib/session.ts'
import { say } from '../ui/say.ts'
import { roomOf } from '../lib/room-address.ts'
import { shortVet } from './vet-name.ts'

/*
 * Fills the strip of public pages. Only browsers that know of an open consult load it. It imports little from the
 * session, because every visitor loads what it shares with islands.
 */

const root = document.documentElement

const openFor = async (token: string | null) =>
  token ? ((await askAs<OpenConsult[]>('/consultation/open', token)) ?? []) : []

function sayOf([{ vet_name, unread }, ...others]: [OpenConsult, ...OpenConsult[]]) {
  if (others.length > 0) return say('{n} consults are open', { n: others.length + 1 })
  if (!vet_name) return say('Waiting for a vet')
  const vet = shortVet(vet_name)
  return unread > 0 ? say('{vet} answered', { vet }) : say('{vet} is with you', { vet })
}

/** One consult opens directly. Several lead to the purchase page, which shows them all. */
function fill(strip: HTMLAnchorElement, open: [OpenConsult, ...OpenConsult[]]) {
  const part = (name: string) => strip.querySelector<HTMLElement>(`[data-${name}]`)!
  const [{ pet }] = open
  const unread = open.reduce((sum, one) => sum + one.unread, 0)
  if (open.length === 1) strip.href = roomOf(open[0])
  const drawings = strip.dataset['drawings']!.split(' ')
  strip.querySelector('img')!.src = `/avatars/${drawings[(pet.species_id ?? 0) - 1] ?? 'other'}.svg`
  part('says').textContent = sayOf(open)
  const pets = open.map((one) => one.pet.name).join(', ')
  part('about').textContent = open.length === 1 ? ` ${say('about {pet}', { pet: pets })}` : `: ${pets}`
  const count = part('count')
  count.hidden = unread === 0
  count.textContent = String(unread)
  count.ariaLabel = unread === 1 ? say('1 new message') : say('{n} new messages', { n: unread })
  count.role = 'img'
}

async function look() {
  const own = root.hasAttribute('data-in') ? localStorage.getItem('token') : null
  const guests = Object.entries(localStorage).filter(([key]) => key.startsWith('singleToken'))
  const tokens = new Set([own, ...guests.map(([, token]) => token as string)])
  const found = (await Promise.all([...tokens].map(openFor))).flat()
  const [latest, ...others] = [...new Map(found.map((one) => [one.id, one])).values()]
  const strip = document.querySelector<HTMLAnchorElement>('[data-strip]')
  if (latest && strip) return fill(strip, [latest, ...others])
  choose({ open: undefined })
  root.removeAttribute('data-consult')
}

// Without an answer, the strip keeps its general words, and its link still leads back.
look().catch(() => {})
