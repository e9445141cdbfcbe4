import { useQuery, useQueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sampleRoom } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls, refused } from '../test/visit.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { onDuty as duty } from './queries.ts'

const vet = (id: number, name: string) => ({ id, name, since: '2026-11-21T02:20:00Z', cases: 1 })
const pieter = vet(4, 'Dr Pieter Sample')
const anika = vet(5, 'Dr Anika Naidoo')

let onDuty = [pieter, anika]
let sent: unknown[] = []
let refuse = false
beforeEach(() => {
  onDuty = [pieter, anika]
  sent = []
  refuse = false
  answerCalls((path, body) => {
    if (!path.endsWith('/hand-over')) return onDuty
    sent.push(body)
    if (!refuse) return {}
    onDuty = [anika]
    return refused(409, 'VET_NOT_ON_DUTY', 'Not on duty')
  })
})

/** What a push about the duty does. */
let look = () => {}
function Dialog() {
  const client = useQueryClient()
  look = () => void client.invalidateQueries()
  return <HandOverDialog room={sampleRoom(7, 'Simba')} me={3} onClose={() => {}} onDone={() => {}} />
}

const radio = (name: RegExp) => page.getByRole('radio', { name })
const word = () => page.getByLabelText('What should they know?')
const gone = () => page.getByRole('alert').getByText('Dr Pieter Sample went off duty. Choose somebody else.')

it.each(['the first vet', 'a vet who was chosen'])(
  'if %s goes off duty, the case goes nowhere until somebody else is chosen [CON-6] [VET-7]',
  async (who) => {
    mount(<Dialog />)
    if (who === 'the first vet') await expect.element(radio(/Pieter/)).toBeChecked()
    else {
      await radio(/Anika/).click()
      await radio(/Pieter/).click()
    }
    await word().fill('Pale gums')
    onDuty = [anika]
    look()
    await expect.element(gone()).toBeVisible()
    await expect.element(word()).toHaveFocus()
    expect(page.getByRole('radio', { checked: true }).elements()).toEqual([])
    await page.getByRole('button', { name: 'Hand over' }).click()
    await expect.element(radio(/Anika/)).toHaveFocus()
    expect(sent).toEqual([])
    await userEvent.keyboard(' ')
    await expect.element(gone()).not.toBeInTheDocument()
    await expect.element(radio(/Anika/)).toHaveFocus()
    await page.getByRole('button', { name: 'Hand over to Dr Anika Naidoo' }).click()
    await expect.poll(() => sent).toEqual([{ vet_id: 5, note: 'Pale gums' }])
  },
)

it('the focus begins at the chosen vet, and the note is one Tab away [CON-6]', async () => {
  const Console = () => useQuery(duty).data && <Dialog />
  mount(<Console />)
  await expect.element(radio(/Pieter/)).toHaveFocus()
  await userEvent.tab()
  await expect.element(word()).toHaveFocus()
})

it('the focus stays in the list when the vet who had it goes off duty [CON-6]', async () => {
  mount(<Dialog />)
  await radio(/Anika/).click()
  await radio(/Pieter/).click()
  onDuty = [anika]
  look()
  await expect.element(gone()).toBeVisible()
  await expect.element(radio(/Anika/)).toHaveFocus()
})

it('a choice stays when another vet comes on duty or leaves [CON-6]', async () => {
  mount(<Dialog />)
  await radio(/Anika/).click()
  onDuty = [vet(6, 'Dr Zola First'), anika]
  look()
  await expect.element(radio(/Zola/)).toBeVisible()
  await expect.element(radio(/Anika/)).toBeChecked()
  await expect.element(radio(/Anika/)).toHaveFocus()
  expect(page.getByRole('alert').elements()).toEqual([])
})

it('a vet who went off duty a moment before the case was sent is named [CON-6] [VET-7]', async () => {
  refuse = true
  mount(<Dialog />)
  await word().fill('Pale gums')
  await page.getByRole('button', { name: 'Hand over to Dr Pieter Sample' }).click()
  await expect.element(gone()).toBeVisible()
  await expect.element(word()).toHaveValue('Pale gums')
})

it('“Keep it” stays on one line beside a long name [CON-6]', async () => {
  onDuty = [vet(4, 'Dr Bartholomew Oosthuizen-Featherstonehaugh')]
  await page.viewport(1024, 768)
  mount(<Dialog />)
  await expect.element(radio(/Bartholomew/)).toBeChecked()
  const keep = page.getByRole('button', { name: 'Keep it' }).element()
  const text = document.createRange()
  text.selectNodeContents(keep)
  expect(text.getClientRects()).toHaveLength(1)
})
