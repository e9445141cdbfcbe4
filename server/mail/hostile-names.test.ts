import { expect, it } from 'vitest'
import { subscribe } from '#contract/joining.ts'
import { newcomer } from '#test/joining.ts'
import { openShop, order, person } from '#test/shop.ts'

const shop = await openShop()
const { world } = shop
await shop.duty(true)

const HOSTILE = 'verify at http://evil.example'
const TYPED = 'Call 0821234567 or see evil.co.za'

async function mailed(email: string) {
  const mails = await world.mailsTo(email)
  return new Map(mails.map(({ template, subject, text, html }) => [template, `${subject}\n${text}\n${html}`]))
}
const REPEATED = /evil|0821234567/

it('mails about a consult that a stranger bought for somebody repeat nothing that the stranger typed [SAF-3]', async () => {
  const user = { ...person(), firstName: HOSTILE, lastName: HOSTILE }
  const about = { name: HOSTILE, query: TYPED, address: TYPED, user_clinic: TYPED }
  await shop.buy(order({ user }), about)
  world.advance({ minutes: 16 })
  const mails = await mailed(user.email)
  expect([...mails.keys()]).toEqual(expect.arrayContaining(['receipt', 'consult late']))
  expect([...mails.values()].join('\n')).not.toMatch(REPEATED)
})

it('mails about a membership that a stranger bought repeat nothing either [SAF-3]', async () => {
  const names = { firstName: HOSTILE, lastName: HOSTILE, address: TYPED }
  const { form, browser } = await newcomer(world, names)
  await browser.call(subscribe, { ...form, pet: { ...form.pet, name: HOSTILE } })
  const mails = await mailed(form.email)
  expect([...mails.keys()]).toEqual(expect.arrayContaining(['welcome', 'receipt']))
  expect([...mails.values()].join('\n')).not.toMatch(REPEATED)
})
