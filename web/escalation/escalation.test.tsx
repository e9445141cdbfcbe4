import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { ContactCall, Escalation } from '#contract/escalation.ts'
import { sentenceOf } from '#contract/errors.ts'
import { minutesAgo } from '#test/samples.ts'
import { time } from '../lib/dates.ts'
import { type Answer, visit } from '../test/visit.tsx'
import { EscalationCase } from './escalation-case.tsx'
import OnCall from './on-call.page.tsx'

let leave = () => {}

function show(path: string, address: string, Component: () => React.ReactNode, answer: Answer) {
  const visited = visit(path, address, Component, answer)
  leave = visited.leave
  return visited.sent
}
const says = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

const step = (
  number: number,
  kind: Escalation['steps'][number]['kind'],
  minutes: number,
  name: string | null,
) => ({
  step: number,
  kind,
  at: minutesAgo(minutes),
  name,
  contact: name && '082 555 0171',
  by: name ? null : 'Dr Naledi Demo',
  sms: kind === 'called' ? ('sent' as const) : null,
  mail: kind === 'called' ? ('sent' as const) : null,
})
const CALLING: Escalation = {
  id: 48222,
  clinic: { id: 1, clinic: 'Demo Vet Clinic' },
  pet: 'Whiskey',
  about: 'cat, male, 5 years',
  caller: 'Nokuthula Example',
  phone: '083 555 0142',
  problem: 'No urine since 22:00',
  advice: 'Keep him quiet',
  urgency: 'emergency',
  vet_name: 'Dr Naledi Demo',
  species_id: 2,
  recorded_at: minutesAgo(3),
  in_portal: true,
  accepted_at: null,
  state: 'calling',
  contacts: [
    { name: 'Dr Pieter Sample', contact: '082 555 0171' },
    { name: 'Dr Thandeka Demo', contact: '082 555 0133' },
  ],
  again: [],
  place: 0,
  minutes: 5,
  due_at: minutesAgo(-2),
  step: 1,
  steps: [step(1, 'called', 3, 'Dr Pieter Sample')],
}
const showCase = (answer: Answer) =>
  show('/phone/:id', '/phone/48222', () => <EscalationCase id={48222} />, answer)

it("the vet's page says who is waited for and who is next, and acts on the step that was seen [CLI-5]", async () => {
  let now = CALLING
  const sent = showCase((path, body) => {
    if (body)
      now = {
        ...CALLING,
        state: 'yours',
        due_at: null,
        again: CALLING.contacts,
        step: 2,
        steps: [...CALLING.steps, step(2, 'stopped', 0, null)],
      }
    return Response.json(path === '/escalations' ? [] : now)
  })
  await expect
    .element(page.getByRole('heading', { name: 'Whiskey, for Demo Vet Clinic', level: 1 }))
    .toBeVisible()
  await says('Waiting for Dr Pieter Sample')
  await says(`We call Dr Thandeka Demo at ${time(CALLING.due_at!)} if nobody has answered.`)
  await says('SMS and email sent, with the case and a link. 082 555 0171')
  await says('Next: Dr Thandeka Demo')
  await page.getByRole('button', { name: 'Stop calling' }).click()
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'Calls stopped. You decide now' }))
    .toBeVisible()
  expect(sent.find(([, body]) => body)).toEqual(['/escalations/48222', { step: 1, to: 'stop' }])
  for (const name of ['Send to emergency clinic', 'Call both again', 'Wait for opening hours'])
    await expect.element(page.getByRole('button', { name })).toBeVisible()
})

it("the vet's page says when something else happened first, and shows it [CLI-5]", async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  let now = CALLING
  showCase((path, body) => {
    if (!body) return Response.json(path === '/escalations' ? [] : now)
    now = {
      ...CALLING,
      state: 'taken',
      due_at: null,
      step: 2,
      steps: [...CALLING.steps, step(2, 'acknowledged', 1, 'Dr Pieter Sample')],
    }
    return Response.json(
      { code: 'ESCALATION_MOVED', errors: [sentenceOf('ESCALATION_MOVED')] },
      { status: 409 },
    )
  })
  await page.getByRole('button', { name: 'Call Dr Thandeka Demo now' }).click()
  await says(sentenceOf('ESCALATION_MOVED'))
  vi.advanceTimersByTime(5000)
  await says('Dr Pieter Sample is on it')
  await expect.element(page.getByRole('button', { name: 'Stop calling' })).not.toBeInTheDocument()
})

it("the vet's page still says that calls were stopped when a contact says no afterwards [CLI-5]", async () => {
  const steps = [...CALLING.steps, step(2, 'stopped', 1, null), step(3, 'declined', 0, 'Dr Pieter Sample')]
  showCase((path) =>
    Response.json(path === '/escalations' ? [] : { ...CALLING, state: 'yours', due_at: null, steps }),
  )
  await expect.element(page.getByRole('heading', { name: 'Calls stopped. You decide now' })).toBeVisible()
})

it("the vet's page says when the clinic confirmed the case while nobody answered [CLI-5]", async () => {
  const accepted_at = minutesAgo(1)
  showCase((path) =>
    Response.json(path === '/escalations' ? [] : { ...CALLING, state: 'yours', due_at: null, accepted_at }),
  )
  await says('Nobody answered. You decide now')
  const confirmed = `Demo Vet Clinic confirmed in its portal at ${time(accepted_at)} that it has the case.`
  await expect.element(page.getByRole('alert').filter({ hasText: confirmed })).toBeVisible()
})

it.each([
  ['a contact who was called', [CALLING.contacts[0]!], 'Call Dr Pieter Sample again'],
  [
    'a contact whose number was corrected',
    [{ name: 'Dr Pieter Sample', contact: '082 555 0199' }],
    'Call Dr Pieter Sample',
  ],
])("the vet's page offers to call again whom the clinic names now: %s [CLI-5]", async (_, again, name) => {
  showCase((path) =>
    Response.json(path === '/escalations' ? [] : { ...CALLING, state: 'yours', due_at: null, again }),
  )
  await expect.element(page.getByRole('button', { name })).toBeVisible()
})

it("the vet's page offers to call nobody of a clinic that names nobody any more [CLI-5]", async () => {
  showCase((path) =>
    Response.json(path === '/escalations' ? [] : { ...CALLING, state: 'yours', due_at: null }),
  )
  await says('Nobody answered. You decide now')
  expect(page.getByRole('button', { name: /^Call / }).elements()).toEqual([])
})

it("the vet's page says what didn’t get through, and whom to dial [CLI-5]", async () => {
  const failed = { ...CALLING.steps[0]!, sms: 'failed' as const, mail: null }
  showCase((path) => Response.json(path === '/escalations' ? [] : { ...CALLING, steps: [failed] }))
  const more = page.getByText(
    'The SMS didn’t get through. Nothing could be sent. Dial 082 555 0171 yourself.',
  )
  await expect.element(more).toBeVisible()
})

it("the vet's page asks for a reason if another vet settled the case long ago [SAF-8]", async () => {
  showCase(() => Response.json({ code: 'CONSULT_SAY_WHY', errors: ['Say why'] }, { status: 403 }))
  await expect
    .element(page.getByRole('link', { name: 'Open it and say why' }))
    .toHaveAttribute('href', '/text-chat/48222')
})

it("the vet's page says when nobody was called for a consult, and when one can’t be loaded [CLI-5]", async () => {
  showCase(() => Response.json({ errors: ['Not found'] }, { status: 404 }))
  await expect.element(page.getByText('Nobody was called for this consult')).toBeVisible()
})

/* The contact's page. */

const ASKED: ContactCall = {
  standing: 'asked',
  clinic: 'Demo Vet Clinic',
  in_portal: true,
  name: 'Dr Thandeka Demo',
  called_at: minutesAgo(1),
  until: minutesAgo(-4),
  next: null,
  taken: null,
  decided_at: null,
  case: {
    pet: 'Whiskey',
    about: 'cat, male, 5 years',
    caller: 'Nokuthula Example',
    phone: '083 555 0142',
    problem: 'No urine since 22:00',
    advice: '',
    urgency: 'emergency',
    vet_name: 'Dr Naledi Demo',
  },
}
const CODE = `a${'0123456789abcdef'.repeat(2).slice(0, 24)}`
const open = (answer: Answer, address = `/on-call/${CODE}`) =>
  show('/on-call/:code?', address, OnCall, answer)

it("the contact's page keeps an answer that couldn’t be sent, and sends it when the connection is back [CLI-5]", async () => {
  let offline = true
  const sent = open((path) => {
    if (path === '/contact-call' && offline) throw new TypeError('Failed to fetch')
    return Response.json(path === '/contact-call' ? { ...ASKED, standing: 'on it', until: null } : ASKED)
  })
  await page.getByRole('button', { name: 'I’m on it' }).click()
  await expect
    .element(
      page.getByRole('alert').filter({ hasText: 'Not sent yet. It goes out when you’re back online.' }),
    )
    .toBeVisible()
  offline = false
  vi.setSystemTime(Date.now() + 15_000)
  dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => sent.filter(([path]) => path === '/contact-call').length).toBeGreaterThan(1)
})

it("the contact's page tells somebody who gives a case back that the vet knows, and who is called now [CLI-5]", async () => {
  const taken = { name: ASKED.name, at: minutesAgo(1) }
  let now: ContactCall = { ...ASKED, standing: 'on it', until: null, taken }
  open((path) => {
    if (path === '/contact-call')
      now = { ...ASKED, standing: 'over', until: null, next: 'Dr Pieter Sample', case: null }
    return Response.json(now)
  })
  await page.getByRole('button', { name: 'I can’t any more' }).click()
  await expect.element(page.getByRole('heading', { name: 'We’ve told the vet' })).toHaveFocus()
  await expect.element(page.getByText(/We’re calling Dr Pieter Sample now\.$/)).toBeVisible()
})

it.each([
  ['a long name', 'The Greater Johannesburg Emergency and Specialist Referral Hospital', ''],
  ['large text', 'Demo Vet Clinic', '200%'],
])(
  "with %s, the clinic's name on the contact's page stands clear of ours [CLI-5]",
  async (_, clinic, size) => {
    document.documentElement.style.fontSize = size
    open(() => Response.json({ ...ASKED, clinic }))
    await says(clinic)
    // Our name may be wider than its link.
    const words = document.createRange()
    words.selectNodeContents(page.getByRole('link', { name: 'VetChat' }).element())
    const ours = words.getBoundingClientRect()
    const theirs = page.getByText(clinic).element().getBoundingClientRect()
    expect(theirs.left >= ours.right || theirs.top >= ours.bottom).toBe(true)
  },
)

it("the contact's page tells somebody who gives a case back too late that it's still theirs, and what to do [CLI-5]", async () => {
  const taken = { name: ASKED.name, at: minutesAgo(125) }
  let now: ContactCall = { ...ASKED, standing: 'on it', until: null, taken }
  open((path) => {
    if (path === '/contact-call') now = { ...now, standing: 'over', case: null }
    return Response.json(now)
  })
  await page.getByRole('button', { name: 'I can’t any more' }).click()
  await expect.element(page.getByRole('heading', { name: 'This link has expired' })).toHaveFocus()
  await says(/^The case is still yours\. Phone VetChat if you can’t see to it\./)
  expect(page.getByText(/You don’t have to do anything/).elements()).toEqual([])
})

it("the contact's page asks somebody whose link has expired to phone, as long as nobody has the case [CLI-5]", async () => {
  open(() => Response.json({ ...ASKED, standing: 'over', until: null, case: null }))
  await expect.element(page.getByText(/Nobody has the case yet\.$/)).toBeVisible()
  await says(/^Phone VetChat if you can take it\./)
})

it.each(['on it', 'over'] as const)(
  "the contact's page of a case that is %s leads to no portal of a clinic that has none [CLI-5]",
  async (standing) => {
    const shown = standing === 'over' ? null : ASKED.case
    const taken = { name: ASKED.name, at: minutesAgo(1) }
    open(() => Response.json({ ...ASKED, in_portal: false, standing, until: null, taken, case: shown }))
    await expect
      .element(page.getByRole('heading', { level: 1, name: /You have Whiskey’s case|This link has expired/ }))
      .toBeVisible()
    expect(page.getByText(/portal/).elements()).toEqual([])
  },
)

it("the contact's page lets somebody who said no take the case after all, and says who is called [CLI-5]", async () => {
  open(() => Response.json({ ...ASKED, standing: 'declined', until: null, next: 'Dr Pieter Sample' }))
  await says('We’re calling Dr Pieter Sample now. You don’t have to do anything.')
  await expect.element(page.getByRole('button', { name: 'I’m on it after all' })).toBeVisible()
})

it("the contact's page recognises an address without a code, and says when the server doesn’t know the code [CLI-5]", async () => {
  const sent = open(() => Response.json({}), '/on-call/Not-A-Code')
  await says('We don’t know this link')
  expect(sent).toEqual([])
  leave()
  open(() => Response.json({ errors: [sentenceOf('CONTACT_LINK_WRONG')] }, { status: 404 }))
  await says('We don’t know this link')
})
