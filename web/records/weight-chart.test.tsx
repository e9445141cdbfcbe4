import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Weight } from '#contract/records.ts'
import { mount } from '../test/mount.tsx'
import { WeightChart } from './weight-chart.tsx'

const weight = (id: number, on: string, kg: number): Weight => ({ id, on, kg, scale: true, by: '' })

it('the label of a weight that fell to the lowest line stays above the dates [CON-15]', async () => {
  const weights = [weight(1, '2026-03-13', 4.9), weight(2, '2026-07-01', 4.7), weight(3, '2026-10-19', 4.4)]
  mount(<WeightChart weights={weights} pet="Saffron" staff />)
  const box = (text: string) => page.getByText(text).first().element().getBoundingClientRect()
  await expect.element(page.getByRole('img', { name: /^Saffron weighed/ })).toBeVisible()
  expect(box('4.4 kg').bottom).toBeLessThan(box('19 Oct 2026').top - 8)
})
