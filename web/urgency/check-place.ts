import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { goTo, replaceAddress, usePageAddress } from '../lib/page-address.tsx'
import { keptAt, type Place } from '../purchases/sent-purchase.ts'
import { leaveDraft, readDraft } from '../ui/form-draft.ts'

/*
 * The emergency check's answers are in the page's address, as a form without scripts leaves them, so that a reload and
 * the Back button work. The form's draft stores them too, for somebody who returns to the address without answers.
 */

export interface CheckPlace {
  step: 'animal' | 'signs' | 'found' | 'done'
  species: number | undefined
  signs: string[]
  /** Where to look for clinics; empty to choose again. */
  area: string | undefined
  /** The rest of the address, which forms pass along. */
  rest: [name: string, value: string][]
}

const OWN = ['species', 'sign', 'area', 'go', 'change']
/** Makes the address ask for the animal again. */
export const CHANGE: [name: string, value: string] = ['change', '1']
const NONE = 'none'
/** Owners of the first two species choose a picture in the form, other owners choose from its list. */
const IN_PICTURES = 2
const MOST_SPECIES = 11

export function checkPlaceOf(search: URLSearchParams): CheckPlace {
  const number = Number(search.get('species'))
  const species = Number.isInteger(number) && number >= 1 && number <= MOST_SPECIES ? number : undefined
  const sent = search.getAll('sign')
  const signs = [...new Set(sent.filter((sign) => sign !== NONE))].slice(0, 20)
  const step =
    sent.includes(NONE) || (search.has('go') && sent.length > 0)
      ? 'done'
      : species === undefined
        ? 'animal'
        : signs.length > 0
          ? 'found'
          : 'signs'
  const area = search.get('area') ?? undefined
  return { step, species, signs, area, rest: [...search].filter(([name]) => !OWN.includes(name)) }
}

/** The answers as a draft stores them: "2:no-urine,lily", or "2:none". Empty before the check. */
const checkedOf = ({ species, signs }: CheckPlace) => `${species ?? ''}:${signs.join(',') || NONE}`
export const signsChecked = (checked: string) =>
  checked
    .slice(checked.indexOf(':') + 1)
    .split(',')
    .filter((sign) => sign !== '' && sign !== NONE)

function addressOf(checked: string, { pathname, searchParams }: URL) {
  const to = new URLSearchParams([...searchParams].filter(([name]) => !OWN.includes(name)))
  const species = checked.slice(0, checked.indexOf(':'))
  if (species) to.set('species', species)
  const signs = signsChecked(checked)
  for (const sign of signs.length > 0 ? signs : [NONE]) to.append('sign', sign)
  if (signs.length > 0) to.set('go', '1')
  return `${pathname}?${to.toString()}`
}

export function useCheckPlace(draft: string, purchase: Place) {
  const place = usePageAddress()
  const check = checkPlaceOf(place.searchParams)
  // Somebody who comes back after answering it, or in the middle of paying, isn't asked again.
  const skip = useEffectEvent(() => {
    if (check.step !== 'animal' || place.searchParams.has(CHANGE[0])) return
    const { checked } = readDraft(draft)
    if (typeof checked === 'string') replaceAddress(addressOf(checked, place))
    else if (keptAt(purchase).kept()) replaceAddress(addressOf(':', place))
  })
  useLayoutEffect(() => skip(), [])
  return check
}

/** Passes the answers to the form. It has to come before the form, which reads its draft when it mounts. */
export function KeepCheck({ draft, check }: { draft: string; check: CheckPlace }) {
  const checked = checkedOf(check)
  const { step, species } = check
  useLayoutEffect(() => {
    const kept = readDraft(draft)
    if (step !== 'done' || kept['checked'] === checked) return
    leaveDraft(draft, { ...kept, checked, ...(species !== undefined && animalTyped(species)) })
  }, [draft, step, species, checked])
  useEffect(() => {
    if (hasMoved()) document.querySelector('h1')?.focus({ preventScroll: true })
  }, [])
  return null
}

const animalTyped = (species: number) =>
  species <= IN_PICTURES ? { species: String(species) } : { species: 'other', other: String(species) }

let moved = false
/** Continues in the same document. The next step gets the focus. */
export function moveTo(address: string) {
  moved = true
  goTo(address)
  scrollTo(0, 0)
}
export const hasMoved = () => moved
