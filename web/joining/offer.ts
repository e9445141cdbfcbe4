import { useState } from 'react'
import type { Plan } from '#contract/memberships.ts'
import { isPromo, type Promo } from '#contract/discounts.ts'
import { replaceAddress, usePageAddress } from '../lib/page-address.tsx'
import { tryStorage } from '../lib/session.ts'
import { useBrowserValue } from '../ui/browser-value.ts'

function stored(): Promo | undefined {
  const code = tryStorage(() => localStorage.getItem('promo'), null)
  return isPromo(code) ? code : undefined
}

export const IN_ADDRESS: Record<Plan, string> = { annual: 'annually', monthly: 'monthly' }

/** Plan, promo and coupon are in the address, so they survive a reload and signing in. */
export function useOffer() {
  const { pathname, searchParams: asked } = usePageAddress()
  const inPath = /^\/subscribe\/([^/]+)/i.exec(pathname)?.[1]
  const kept = useBrowserValue(stored, () => undefined)
  const [isForgotten, setIsForgotten] = useState(false)
  const named = inPath || asked.get('promo') || ''
  const code = named.toLowerCase()
  const plan: Plan = asked.get('plan') === IN_ADDRESS.monthly ? 'monthly' : 'annual'
  const coupon = asked.get('coupon')?.trim() ?? ''
  const promo = named ? (isPromo(code) ? code : undefined) : isForgotten ? undefined : kept

  function change(names: Record<string, string | null>, path = pathname) {
    const next = new URLSearchParams(asked)
    for (const [name, value] of Object.entries(names))
      if (value) next.set(name, value)
      else next.delete(name)
    const search = next.toString()
    replaceAddress(path + (search && `?${search}`))
  }

  return {
    plan,
    promo,
    /** A code in the address that doesn't exist. */
    unknown: named && !promo ? named : '',
    coupon,
    setPlan: (plan: Plan) => change({ plan: IN_ADDRESS[plan] }),
    setCoupon: (coupon: string) => change({ coupon }),
    removePromo() {
      tryStorage(() => localStorage.removeItem('promo'), undefined)
      setIsForgotten(true)
      change({ promo: null }, inPath ? pathname.replace(/\/[^/]+\/?$/, '') : pathname)
    },
    search: new URLSearchParams({
      plan: IN_ADDRESS[plan],
      ...(promo && { promo }),
      ...(coupon && { coupon }),
    }).toString(),
  }
}
export type Offer = ReturnType<typeof useOffer>
