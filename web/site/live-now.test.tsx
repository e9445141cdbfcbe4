import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { QueueStatus } from '../consultations/wait.tsx'
import { mount, sampleSite } from '../test/mount.tsx'
import { LiveNow } from './live-now.tsx'

const NOBODY = { open: true, vets: 0, on_duty: false, minutes: null, next: '2026-11-27T19:00:00Z' }

it.each([
  ['za', null, '21:00.'],
  ['au', '6:00am to 12:00am SYD Time', '06:00 Sydney time.'],
] as const)(
  'in %s the next vet’s time names its zone where visitors may live in another [CON-13]',
  async (region, hours, says) => {
    mount(<LiveNow />, { site: { ...sampleSite, region, queue: { ...NOBODY, hours } as QueueStatus } })
    await expect.element(page.getByText(says, { exact: false })).toBeVisible()
  },
)
