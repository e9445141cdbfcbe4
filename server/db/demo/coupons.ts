import { REGIONS } from '#contract/regions.ts'

/** Codes to try the till with. floodsupport leaves the smallest sum that can be charged, at least R5. */
export const COUPONS = [
  { code: 'TENOFF', percentOff: 10, region: null, product: 'both' },
  { code: 'R50OFF', amountOff: 50_00, region: 'za', product: 'both' },
  { code: 'FREECONSULT', percentOff: 100, region: null, product: 'consult' },
  {
    code: 'floodsupport',
    leftToPay: Math.max(5_00, REGIONS.za.smallestCharge),
    region: 'za',
    product: 'consult',
  },
] as const
