import { afterEach, expect, it } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { Checkbox } from './checkbox.tsx'
import { Choices, ChoiceRow } from './choice-card.tsx'

interface Protocol {
  send(method: string, params: object): Promise<unknown>
}
const force = (value: 'active' | 'none') =>
  (cdp() as unknown as Protocol).send('Emulation.setEmulatedMedia', {
    features: [{ name: 'forced-colors', value }],
  })
afterEach(() => force('none'))

it('forced colours show what is ticked and which card is chosen', async () => {
  await force('active')
  mount(
    <>
      <Checkbox label="I agree" defaultChecked />
      <Choices legend="Your plan" across="one">
        <ChoiceRow name="plan" value="annual" title="Annual" defaultChecked />
        <ChoiceRow name="plan" value="monthly" title="Monthly" />
      </Choices>
    </>,
  )
  await expect.element(page.getByLabelText('I agree')).toBeChecked()
  expect(getComputedStyle(page.getByLabelText('I agree').element()).appearance).toBe('auto')
  const lookOf = (name: string) => {
    const card = page.getByRole('radio', { name }).element().parentElement!
    return [getComputedStyle(card).outlineStyle, getComputedStyle(card.querySelector('svg')!).visibility]
  }
  expect(lookOf('Annual')).toEqual(['solid', 'visible'])
  expect(lookOf('Monthly')).toEqual(['none', 'hidden'])
})
