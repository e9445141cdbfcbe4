import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sampleRoom } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { LevelPart } from './level-part.tsx'

const room = sampleRoom(7, 'Simba', {
  urgency: { level: 'urgent', why: 'dark urine' },
  level: {
    version: '2',
    reasons: [{ says: 'wee is dark', ticked: false, level: 'urgent' }],
    changes: [{ from: 'soon', to: 'urgent', reason: 'Ticks', by: 'Dr Demo', at: '2026-11-20T10:00:00.000Z' }],
  },
})

it('the level of a case shows its reason, and changes by keyboard with a new reason [TRI-4]', async () => {
  const sent = answerCalls(() => ({ consultation: room }))
  mount(<LevelPart room={room} changes singleKeys />)
  await expect.element(page.getByText('“wee is dark”')).toBeVisible()
  await expect.element(page.getByText(/Dr Demo raised it from soon/)).toBeVisible()
  await page.getByRole('button', { name: /^Change/ }).click()
  await expect.element(page.getByRole('radio', { name: 'Urgent' })).toHaveFocus()
  await userEvent.keyboard('1')
  await expect.element(page.getByRole('radio', { name: 'Emergency' })).toBeChecked()
  const raise = page.getByRole('button', { name: 'Raise to emergency' })
  await expect.element(raise).toHaveAttribute('aria-disabled', 'true')
  await page.getByLabelText('Reason').fill('Very pale gums')
  await userEvent.keyboard('{Enter}')
  const change = { from: 'urgent', to: 'emergency', reason: 'Very pale gums' }
  await expect.poll(() => sent.map(([, body]) => body)).toEqual([change])
  await expect.element(page.getByRole('button', { name: /^Change/ })).toHaveFocus()
})
