import { useRef, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useDraft } from '../chat/draft.ts'
import type { Consultation } from '#contract/consultations.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { nextUnread } from './cases.ts'
import { type Acts, useKeys } from './console-keys.tsx'
import { filled, matching, sexWords, unfilledIn, useReplies } from '../clinical/canned-replies.tsx'

const REPLIES = [
  { id: 1, title: 'Photo', body: 'A photo in good light, please' },
  { id: 2, title: 'Go in now', body: '{pet} needs a vet tonight: {clinic}' },
  { id: 3, title: 'Let it go', body: 'Leave it' },
]

it("a reply's known placeholders are filled in, and the unknown ones are found [CON-6] [CON-16]", () => {
  const whole = filled('{Pet} needs a vet: {clinic}', { pet: 'Simba' })
  expect(whole).toBe('Simba needs a vet: {clinic}')
  expect(unfilledIn(whole)).toBe('{clinic}')
  expect(unfilledIn('a { b } and {}')).toBe(undefined)
  expect(filled('{He} and {his} paw', sexWords(2))).toBe('She and her paw')
  expect(unfilledIn(filled('Is {he} eating?', sexWords(null)))).toBe('{he}')
  expect(matching(REPLIES, 'go').map(({ id }) => id)).toEqual([2, 3, 1])
})

function Box({ onSend }: { onSend: () => void }) {
  const box = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft(7)
  const { above, press, ask } = useReplies(draft, { pet: 'Simba' }, box, true, () => {})
  return (
    <>
      {above}
      <button type="button" onClick={ask}>
        Replies
      </button>
      <textarea
        ref={box}
        aria-label="Message"
        value={draft.text}
        onChange={({ target }) => draft.write(target.value)}
        onKeyDown={(event) => {
          press(event)
          if (event.key === 'Enter' && !event.defaultPrevented) onSend()
        }}
      />
    </>
  )
}

it('"/" opens the replies; Enter inserts one and sends nothing [CON-6]', async () => {
  answerCalls(() => REPLIES)
  const send = vi.fn()
  mount(<Box onSend={send} />)
  const box = page.getByLabelText('Message')
  await box.fill('/go')
  await expect.poll(chosen).toMatch(/^Go in now/)
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(chosen).toMatch(/^Let it go/)
  await userEvent.keyboard('{ArrowUp}{Enter}')
  await expect.element(box).toHaveValue('Simba needs a vet tonight: {clinic}')
  await expect.element(page.getByText('Fill in {clinic} before you send this.')).toBeVisible()
  await expect.poll(() => getSelection()?.toString() || selected(box.element())).toBe('{clinic}')
  expect(send).not.toHaveBeenCalled()
  await box.fill('/')
  await expect.element(page.getByRole('listbox')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
  await expect.element(box).toHaveValue('')
})

it('a reply joins what the vet has already written, and closing the replies leaves that alone [CON-6]', async () => {
  answerCalls(() => REPLIES)
  mount(<Box onSend={() => {}} />)
  const box = page.getByLabelText('Message')
  const press = () => page.getByRole('button', { name: 'Replies' }).click()
  await box.fill('Hello Thandi')
  await press()
  await expect.element(page.getByRole('listbox')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(box).toHaveValue('Hello Thandi')
  await press()
  await expect.element(box).toHaveFocus()
  await userEvent.keyboard('photo{Enter}')
  await expect.element(box).toHaveValue('Hello Thandi\nA photo in good light, please')
})
const chosen = () => document.querySelector('[role=option][aria-selected=true]')?.textContent
const selected = (element: Element) => {
  const { value, selectionStart, selectionEnd } = element as HTMLTextAreaElement
  return value.slice(selectionStart, selectionEnd)
}

function Keys({ acts }: { acts: Acts }) {
  const [there, setThere] = useState(true)
  const { single, turn } = useKeys(acts, { there, recordThere: there }, () => false)
  return (
    <>
      <input aria-label="Words" />
      <button type="button" onClick={() => turn(!single)}>
        {single ? 'Single keys are on' : 'Single keys are off'}
      </button>
      <button type="button" onClick={() => setThere(!there)}>
        {there ? 'The case is there' : 'The case is on its way'}
      </button>
    </>
  )
}

it('a key pressed while its case is still loading waits for it, but not beyond the next move [CON-6]', async () => {
  const did: string[] = []
  const acts = new Proxy({} as Acts, { get: (_, name) => () => did.push(String(name)) })
  mount(<Keys acts={acts} />)
  await page.getByText('The case is there').click()
  await userEvent.keyboard('jt')
  expect(did.splice(0)).toEqual(['next'])
  await page.getByText('The case is on its way').click()
  await expect.poll(() => did.splice(0)).toEqual(['take'])
  await page.getByText('The case is there').click()
  await userEvent.keyboard('lj')
  await page.getByText('The case is on its way').click()
  await expect.element(page.getByText('The case is there')).toBeVisible()
  expect(did).toEqual(['next'])
})

it('what is typed after R while the case loads waits for its message box, and starts nothing [CON-6]', async () => {
  const did: string[] = []
  const acts = new Proxy({} as Acts, {
    get: (_, name) => () => {
      did.push(String(name))
      if (name === 'write') document.querySelector('input')!.focus()
    },
  })
  mount(<Keys acts={acts} />)
  await page.getByText('The case is there').click()
  await userEvent.keyboard('rPlease have him seen just now')
  await page.getByText('The case is on its way').click()
  await expect.element(page.getByLabelText('Words')).toHaveValue('Please have him seen just now')
  expect(did).toEqual(['write'])
})

it('single keys work outside text fields only, and can be switched off [CON-6]', async () => {
  const did: string[] = []
  const acts = new Proxy({} as Acts, { get: (_, name) => () => did.push(String(name)) })
  mount(<Keys acts={acts} />)
  await expect.element(page.getByText('Single keys are on')).toBeVisible()
  await userEvent.keyboard('jkutrnmh?{Escape}{Control>}k{/Control}')
  const all = ['next', 'previous', 'nextUnread', 'take', 'write', 'toNote', 'toMessages', 'handOver']
  expect(did.splice(0)).toEqual([...all, 'showKeys', 'toQueue', 'search'])
  await page.getByLabelText('Words').click()
  await userEvent.keyboard('jt?')
  await page.getByText('Single keys are on').click()
  await expect.element(page.getByText('Single keys are off')).toBeVisible()
  await userEvent.keyboard('jt?')
  expect(did).toEqual([])
  await userEvent.keyboard('{Control>}s{/Control}')
  expect(did).toEqual(['saved'])
})

it('U goes through every unread case, even when each is left too soon to be read [CON-6]', () => {
  const own = [1, 2, 3].map((id) => ({ one: { id } as Consultation, unread: 1 }))
  const passed = new Set<number>()
  const visited = [9]
  for (let n = 0; n < 4; n++) visited.push(nextUnread(own, visited.at(-1)!, passed)!)
  expect(visited).toEqual([9, 1, 2, 3, 1])
  // Case 2 has been read since, and something new came.
  own[1]!.unread = 0
  expect(nextUnread(own, 9, passed)).toBe(3)
  own[1]!.unread = 1
  own[0]!.unread = 0
  expect(nextUnread(own, 3, passed)).toBe(2)
  expect(nextUnread([], 3, passed)).toBe(undefined)
})

it('neither the page nor the browser reacts to Ctrl K and Ctrl S over a dialog [CON-6]', async () => {
  const did: string[] = []
  mount(
    <>
      <Keys acts={new Proxy({} as Acts, { get: (_, name) => () => did.push(String(name)) })} />
      <Dialog title="Hand over" onClose={() => {}}>
        Whom to?
      </Dialog>
    </>,
  )
  await expect.element(page.getByText('Whom to?')).toBeVisible()
  const pressed: KeyboardEvent[] = []
  const hear = (event: KeyboardEvent) => void pressed.push(event)
  addEventListener('keydown', hear)
  await userEvent.keyboard('{Control>}ks{/Control}j')
  removeEventListener('keydown', hear)
  const left = pressed.filter(({ defaultPrevented }) => !defaultPrevented)
  expect([did, left.map(({ key }) => key)]).toEqual([[], ['Control', 'j']])
})
