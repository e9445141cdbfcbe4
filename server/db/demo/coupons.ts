import { REGION_IDS, REGIONS } from '#contract/regions.ts'

/** Codes for trying the checkout. floodsupport leaves 5 in the region's currency to pay, or the smallest amount that can be charged. */
export const COUPONS = [
  { code: 'TENOFF', percentOff: 10, region: null, product: 'both' },
  { code: 'R50OFF', amountOff: 50_00, region: 'za', product: 'both' },
  { code: 'FREECONSULT', percentOff: 100, region: null, product: 'consult' },
  ...REGION_IDS.map((region) => ({
    code: 'floodsupport',
    leftToPay: Math.max(5_00, REGIONS[region].smallestCharge),
    region,
    product: 'consult' as const,
  })),
] as const
