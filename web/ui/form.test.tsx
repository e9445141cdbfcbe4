import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import type { Rules } from './form-state.ts'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { Form, useForm } from './form.tsx'
import { PasswordField } from './password-field.tsx'
import { TextField } from './text-field.tsx'

type Account = { email: string; phone: string; password: string; agreed: boolean }

const rules: Rules<Account> = ({ email, phone }) => ({
  email: !email.includes('@') && 'Invalid Email address',
  phone: !phone && 'Phone can not be empty',
})

type PageProps = {
  onSubmit: (account: Account) => Promise<unknown>
  onRefused?: (messages: string[]) => void
}

function Page({ onSubmit, onRefused }: PageProps) {
  const form = useForm({
    rules,
    defaults: { email: '', phone: '', password: '', agreed: false },
    draft: 'test',
  })
  return (
    <Form form={form} onSubmit={onSubmit} onRefused={onRefused}>
      <TextField label="Email" type="email" {...form.field('email')} />
      <TextField label="Mobile number" type="tel" {...form.field('phone')} />
      <PasswordField label="Password" autoComplete="new-password" {...form.field('password')} />
      <Checkbox label="Remember me" {...form.check('agreed')} />
      <Button type="submit" variant="primary" busy={form.busy}>
        Save
      </Button>
    </Form>
  )
}

let leave = () => {}
function show(props: PageProps) {
  leave = mount(<Page {...props} />)
}

const field = (label: string) => page.getByLabelText(label)
const summary = () => page.getByRole('alert')
const save = () => page.getByRole('button', { name: /Save|Saving/ })
const kept = () => JSON.parse(sessionStorage.getItem('draft:test') ?? 'null')
const fillRight = async () => {
  await field('Email').fill('thandi@example.com')
  await field('Mobile number').fill('082 555 0134')
}

it('a form lists its errors on top with links, and focuses the first field', async () => {
  show({ onSubmit: async () => {} })
  await save().click()
  await expect
    .element(summary())
    .toHaveTextContent('2 answers need another lookInvalid Email addressPhone can not be empty')
  await expect.element(field('Email')).toHaveFocus()
  await expect.element(field('Email')).toHaveAccessibleDescription('Invalid Email address')
  await summary().getByRole('link', { name: 'Phone can not be empty' }).click()
  await expect.element(field('Mobile number')).toHaveFocus()
  await userEvent.keyboard('1')
  await expect.element(field('Mobile number')).not.toHaveAttribute('aria-invalid')
})

it('a form focuses the first field on the page, whichever error was found first', async () => {
  const both = () => ({ below: 'Below is empty', above: 'Above is empty' })
  function Turned() {
    const form = useForm({ rules: both, defaults: { below: '', above: '' } })
    const below = form.field('below')
    return (
      <Form form={form} onSubmit={() => {}}>
        <TextField label="Above" {...form.field('above')} />
        <TextField label="Below" {...below} />
        <Button type="submit">Save</Button>
      </Form>
    )
  }
  leave = mount(<Turned />)
  await save().click()
  await expect.element(field('Above')).toHaveFocus()
  await expect.element(summary()).toHaveTextContent('2 answers need another lookAbove is emptyBelow is empty')
})

it('a form shows a single error beside its field only', async () => {
  show({ onSubmit: async () => {} })
  await field('Email').fill('thandi@example.com')
  await save().click()
  await expect.element(page.getByText('Phone can not be empty')).toBeVisible()
  await expect.element(summary()).not.toBeInTheDocument()
})

it('a form shows a refusal beside its field and the rest on top, and keeps the draft', async () => {
  show({
    onSubmit: async () => {
      throw {
        errors: ['This email is taken.', 'Try again tomorrow.'],
        fields: { email: 'This email is taken.' },
      }
    },
  })
  await fillRight()
  await save().click()
  await expect.element(field('Email')).toHaveAccessibleDescription('This email is taken.')
  await expect.element(field('Email')).toHaveFocus()
  await expect.element(summary()).toHaveTextContent('Try again tomorrow.This email is taken.')
  await expect.element(field('Mobile number')).toHaveValue('082 555 0134')
})

it('a form focuses a message that belongs to no field, or hands it to the page', async () => {
  const refusal = { errors: ['Sorry, we don’t recognise your details.'] }
  show({ onSubmit: () => Promise.reject(refusal) })
  await fillRight()
  await save().click()
  await expect.element(summary()).toHaveTextContent('Sorry, we don’t recognise your details.')
  await expect.element(summary()).toHaveFocus()
  leave()

  const onRefused = vi.fn()
  show({ onSubmit: () => Promise.reject(refusal), onRefused })
  await fillRight()
  await save().click()
  await vi.waitFor(() => expect(onRefused).toHaveBeenCalledWith(refusal.errors))
  await expect.element(summary()).not.toBeInTheDocument()
})

it('a form is sent once while it is busy, and keeps its width', async () => {
  let done = () => {}
  const onSubmit = vi.fn(() => new Promise<void>((resolve) => (done = resolve)))
  show({ onSubmit })
  await fillRight()
  const width = save().element().getBoundingClientRect().width
  await save().click()
  await expect.element(save()).toHaveAttribute('aria-busy', 'true')
  expect(save().element().getBoundingClientRect().width).toBe(width)
  await save().click()
  await field('Email').click()
  await userEvent.keyboard('{Enter}')
  done()
  await expect.element(save()).not.toHaveAttribute('aria-busy')
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

it('a form keeps a draft across a reload, without the password even when it is shown', async () => {
  show({ onSubmit: async () => {} })
  await field('Email').fill('thandi@example.com')
  await page.getByLabelText('Remember me').click()
  await page.getByRole('button', { name: 'Show: Password' }).click()
  await field('Password').fill('Biscuit12')
  await expect.poll(kept).toEqual({ email: 'thandi@example.com', agreed: true })
  leave()

  show({ onSubmit: async () => {} })
  await expect.element(field('Email')).toHaveValue('thandi@example.com')
  await expect.element(page.getByLabelText('Remember me')).toBeChecked()
  await expect.element(field('Password')).toHaveValue('')
  await field('Email').clear()
  await page.getByLabelText('Remember me').click()
  await expect.poll(kept).toBeNull()
  await expect.element(field('Email')).toHaveValue('')
})

it('a form deletes the draft once it is sent, not when it is refused', async () => {
  const onSubmit = vi
    .fn()
    .mockRejectedValueOnce({ errors: ['No.'] })
    .mockResolvedValueOnce(null)
  show({ onSubmit })
  await fillRight()
  await save().click()
  await expect.element(summary()).toHaveTextContent('No.')
  expect(kept()).toMatchObject({ email: 'thandi@example.com' })
  await save().click()
  await expect.poll(kept).toBeNull()
})
