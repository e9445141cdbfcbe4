import { expect, it } from 'vitest'
import { better, discounted, isPromo } from './discounts.ts'

const none = { amount_off: null, percent_off: null, left_to_pay: null }

it('a discounted price is never negative, and never above the price [BUY-8]', () => {
  expect(discounted(450_00, { ...none, amount_off: 50_00 })).toBe(400_00)
  expect(discounted(450_00, { ...none, amount_off: 500_00 })).toBe(0)
  expect(discounted(39_95, { ...none, percent_off: 10 })).toBe(35_95)
  expect(discounted(39_95, { ...none, percent_off: 100 })).toBe(0)
  expect(discounted(450_00, { ...none, left_to_pay: 10_00 })).toBe(10_00)
  expect(discounted(5_00, { ...none, left_to_pay: 10_00 })).toBe(5_00)
  expect(discounted(450_00, { ...none, left_to_pay: 0 })).toBe(0)
})

it('the larger of promo and coupon counts, and they are never combined [JOI-2]', () => {
  const year = 2000_00
  expect(better(year, 'intro-20', null)).toEqual({ price: 1600_00, off: 400_00, by: 'promo' })
  expect(better(year, 'intro-30', { ...none, percent_off: 10 })).toEqual({
    price: 1400_00,
    off: 600_00,
    by: 'promo',
  })
  expect(better(year, 'intro-40', { ...none, amount_off: 900_00 })).toEqual({
    price: 1100_00,
    off: 900_00,
    by: 'coupon',
  })
  expect(better(year, 'intro-20', { ...none, left_to_pay: 1700_00 }).by).toBe('promo')
  expect(better(year, 'intro-20', { ...none, percent_off: 20 })).toMatchObject({
    price: 1600_00,
    by: 'coupon',
  })
})

it('a discount of zero is credited to neither promo nor coupon [JOI-2]', () => {
  expect(better(450_00, null, null)).toEqual({ price: 450_00, off: 0, by: null })
  expect(better(450_00, undefined, { ...none, left_to_pay: 900_00 })).toMatchObject({ off: 0, by: null })
})

it('only three promos exist, each under its exact name [JOI-2]', () => {
  expect(['intro-20', 'intro-30', 'intro-40'].every(isPromo)).toBe(true)
  expect(['intro-50', 'INTRO-20', '', 'toString', null, undefined].some(isPromo)).toBe(false)
})
