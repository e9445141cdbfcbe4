import type { ComponentType } from 'react'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { AuditEntry, FeedRun, JobReport, LoggedMail } from '#contract/logs.ts'
import { type Answer, refused, visit } from '../test/visit.tsx'
import AuditLog from './audit-log.tsx'
import FeedLog from './feed-log.tsx'
import JobLog from './job-log.tsx'
import MailLog from './mail-log.tsx'
import MessageLog from './message-log.tsx'

const AT = '2026-11-21T08:13:00.000Z'

const show = (Component: ComponentType, answer: Answer, address = '/admin/mail') =>
  visit('*', address, Component, answer)
const button = (name: string) => page.getByRole('button', { name })
const failsFirst = (then: Answer): Answer => {
  let asked = 0
  return (...call) => (asked++ === 0 ? refused(400, 'MALFORMED', 'No.') : then(...call))
}

const mail = (id: number, change: Partial<LoggedMail> = {}): LoggedMail => ({
  id,
  at: AT,
  to: 'thandi@example.com',
  subject: `Your receipt VC-${id}`,
  template: 'receipt',
  attempts: 1,
  done: AT,
  state: 'sent',
  error: null,
  resendable: false,
  ...change,
})
const lost = mail(3, { state: 'given_up', error: 'Error: mailbox full', attempts: 12, resendable: true })
const listed: Answer = (path) =>
  Response.json(path.endsWith('/resend') ? {} : { mails: [lost, mail(2), mail(1)], next: null, given_up: 1 })

it('the mail log resends mails that were given up, and no others [ADM-8]', async () => {
  const { sent } = show(MailLog, listed)
  await expect.element(page.getByText('Given up: mailbox full')).toBeVisible()
  expect(page.getByRole('button', { name: /^Resend/ }).elements()).toHaveLength(1)
  await button('Resend: Your receipt VC-3, to thandi@example.com').click()
  await expect
    .element(page.getByText('“Your receipt VC-3” is on its way to thandi@example.com.'))
    .toBeInTheDocument()
  expect(sent.map(([path]) => path)).toContain('/logs/mails/3/resend')
  await expect.element(page.getByRole('heading', { name: 'Email log' })).toHaveFocus()
})

it("the mail log is filtered by state and address, which are only behind the # of the page's address [ADM-8]", async () => {
  const { sent, router } = show(MailLog, listed)
  await page.getByRole('textbox', { name: 'Address' }).fill('thandi')
  await button('Search').click()
  await expect.element(page.getByText(/email/i).first()).toBeVisible()
  expect(router.state.location.hash).toBe('')
  await page.getByRole('textbox', { name: 'Address' }).fill(' Thandi@Example.com ')
  await button('Search').click()
  await expect.poll(() => sent.at(-1)?.[1]).toEqual({ state: 'all', to: 'thandi@example.com' })
  await expect.element(button('Search')).toHaveFocus()
  await page.getByRole('link', { name: /Given up/ }).click()
  await expect.poll(() => sent.at(-1)?.[1]).toEqual({ state: 'given_up', to: 'thandi@example.com' })
  expect(router.state.location.search).toBe('')
  // Going back leads through the searches before.
  for (const to of ['thandi@example.com', '']) {
    void router.navigate(-1)
    await expect.element(page.getByRole('textbox', { name: 'Address' })).toHaveValue(to)
  }
})

const entry = (id: number, change: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: AT,
  by: { id: 2, name: 'Lerato Admin' },
  action: 'refunded',
  subject: 'charge',
  subject_id: '41',
  person: { id: 7, name: 'Thandi Mokoena' },
  clinic: null,
  reason: 'The video froze',
  details: { amount: 10000, refund: 3, currency: 'zar' },
  ...change,
})
const answer: Answer = (path) => {
  if (path.startsWith('/logs/audit/filters'))
    return Response.json({ staff: [{ id: 2, name: 'Lerato Admin' }], actions: ['refunded', 'took'] })
  if (path.startsWith('/people/search'))
    return Response.json({ people: [], more: false, only: null, total: null })
  return Response.json(
    path.includes('cursor=')
      ? {
          entries: [
            entry(1, { by: null, action: 'handed back', details: { from: 'Anika Naidoo' } }),
            entry(0, {
              action: 'clinic saved',
              person: null,
              clinic: { id: 4, name: 'Two Oaks' },
              details: {
                contacts: { was: { mon: { note: '' }, tue: {} }, now: { mon: { note: 'Ring' }, tue: {} } },
                telephone: { was: '', now: '+27215550140' },
              },
            }),
          ],
          next: null,
        }
      : { entries: [entry(2)], next: 2 },
  )
}

it('the audit log shows who did what, about whom and why, and loads more [SAF-8]', async () => {
  show(AuditLog, answer)
  const row = page.getByRole('row').filter({ hasText: 'The video froze' }).first()
  for (const said of ['Lerato Admin', 'Refunded', 'R100', 'Receipt VC-41'])
    await expect.element(row.getByText(said)).toBeInTheDocument()
  await expect
    .element(row.getByRole('link', { name: 'Thandi Mokoena' }))
    .toHaveAttribute('href', '/admin/members/7')
  await button('Show more').click()
  await expect.element(page.getByText('VetChat')).toBeInTheDocument()
  await expect.element(page.getByText('from: Anika Naidoo')).toBeInTheDocument()
  await expect
    .element(page.getByText('contacts: mon, telephone: nothing to +27215550140'))
    .toBeInTheDocument()
  await expect
    .element(page.getByRole('link', { name: 'Two Oaks' }))
    .toHaveAttribute('href', '/admin/clinics?clinic=4')
})

it('the audit log is filtered by person, by who did it, action and day, and says which filter is wrong [SAF-8]', async () => {
  const { sent } = show(AuditLog, answer)
  await page.getByRole('textbox', { name: 'Person' }).fill('nobody@example.com')
  await button('Search').click()
  await expect.element(page.getByText('There’s no account with this email.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Person' }).fill('7')
  await page.getByRole('combobox', { name: 'Action' }).selectOptions('Refunded')
  await button('Search').click()
  await expect
    .poll(() => sent.map(([path]) => path).filter((path) => path.startsWith('/logs/audit?')))
    .toContainEqual(expect.stringMatching(/person=7.*action=refunded|action=refunded.*person=7/))
  await button('Show everything').click()
  await expect.element(button('Show everything')).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Audit log' })).toHaveFocus()
  await expect.element(page.getByRole('textbox', { name: 'Person' })).toHaveValue('')
})

it('the audit log keeps the filters of its address, however late the choices come [ADM-8]', async () => {
  const { promise: late, resolve: come } = Promise.withResolvers<void>()
  const slow: Answer = async (...call) => {
    if (call[0].startsWith('/logs/audit/filters')) await late
    return answer(...call)
  }
  const { router } = show(AuditLog, slow, '/admin/audit#by=2&action=refunded')
  await expect.element(page.getByText('The video froze').first()).toBeVisible()
  come()
  await expect.element(page.getByRole('combobox', { name: 'By' })).toHaveDisplayValue('Lerato Admin')
  await expect.element(page.getByRole('combobox', { name: 'Action' })).toHaveDisplayValue('Refunded')
  await button('Search').click()
  await expect.poll(() => router.state.location.hash).toBe('#by=2&action=refunded')
})

describe('the insurer’s feed', () => {
  const run = (id: number, change: Partial<FeedRun> = {}): FeedRun => ({
    id,
    at: AT,
    file: `policies-${id}.csv`,
    state: 'applied',
    added: 3,
    changed: 2,
    lapsed: 1,
    bad: [],
    bad_count: 0,
    overtaken: false,
    ...change,
  })
  const waiting = run(9, { state: 'waiting', lapsed: 400, overtaken: true })
  const answer: Answer = (path, body) =>
    Response.json(
      path === '/logs/feed/9'
        ? { ...waiting, state: (body as { let_through: boolean }).let_through ? 'applied' : 'dropped' }
        : {
            runs: [waiting, run(8, { bad: [{ row: 4, why: 'has no policy' }], bad_count: 1 })],
            next: null,
            live: 1000,
          },
    )

  it('the insurer’s feed lets a waiting file through once its effects were read, or leaves it waiting [JOI-10]', async () => {
    const { sent } = show(FeedLog, answer)
    await button('Let through: policies-9.csv').click()
    const dialog = page.getByRole('dialog')
    await expect.element(dialog.getByText(/It ends 400 of 1000 live policies/)).toBeVisible()
    await expect.element(dialog.getByText(/A newer file was applied/)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    expect(sent.filter(([path]) => path === '/logs/feed/9')).toEqual([])
    await button('Let through: policies-9.csv').click()
    await button('End 400 policies').click()
    await expect
      .element(page.getByText('policies-9.csv was applied: 400 policies ended.'))
      .toBeInTheDocument()
    expect(sent).toContainEqual(['/logs/feed/9', { let_through: true }])
  })

  it('the insurer’s feed drops a file, and shows the rows that it couldn’t use [JOI-10]', async () => {
    const { sent } = show(FeedLog, answer)
    await page.getByText('1 row that we couldn’t use').click()
    await expect.element(page.getByText('Row 4 has no policy.')).toBeVisible()
    await button('Drop policies-9.csv').click()
    await button('Drop the file').click()
    await expect.element(page.getByText('policies-9.csv was dropped.')).toBeInTheDocument()
    expect(sent).toContainEqual(['/logs/feed/9', { let_through: false }])
  })

  it('the insurer’s feed keeps the question open with the reason if somebody else decided first [JOI-10]', async () => {
    show(FeedLog, (path, ...call) =>
      path === '/logs/feed/9'
        ? refused(409, 'FEED_DECIDED', 'Somebody decided it already.')
        : answer(path, ...call),
    )
    await button('Drop policies-9.csv').click()
    await button('Drop the file').click()
    await expect.element(page.getByRole('dialog').getByText('Somebody decided it already.')).toBeVisible()
  })

  it('the insurer’s feed finds a file by its name, and the address keeps the search [ADM-8]', async () => {
    const { router, sent } = show(FeedLog, (path, ...call) =>
      path.includes('q=') ? Response.json({ runs: [], next: null, live: 1 }) : answer(path, ...call),
    )
    await page.getByRole('searchbox', { name: 'File name' }).fill('march')
    await expect.element(page.getByText('No file matches.')).toBeVisible()
    expect(sent.at(-1)![0]).toBe('/logs/feed?q=march')
    expect(router.state.location.hash).toBe('#q=march')
  })
})

const job = (name: string, change: Partial<JobReport> = {}): JobReport => ({
  name,
  lane: 'database',
  every_minutes: 1440,
  running: false,
  last_run: AT,
  took_ms: 1500,
  longest_ms: 2500,
  next_run: AT,
  failing: 0,
  failed_at: null,
  error: null,
  ...change,
})

it('the list of jobs shows failing ones first, with the failure, and how often each runs [OPS-8]', async () => {
  const broken = job('send mails', {
    lane: 'mail',
    every_minutes: null,
    failing: 3,
    failed_at: AT,
    error: 'refused',
  })
  show(
    JobLog,
    failsFirst(() => Response.json({ since: AT, jobs: [job('clean up'), broken] })),
  )
  await expect.element(page.getByText('We couldn’t load the jobs')).toBeVisible()
  await button('Try again').click()
  await expect.element(page.getByText(/1 is failing, on the instance that started/)).toBeVisible()
  await expect.element(page.getByText(/Failing, 3 times in a row\. refused/)).toBeVisible()
  const rows = page
    .getByRole('row')
    .elements()
    .map((row) => row.textContent)
  expect(rows.findIndex((row) => row.includes('Send mails'))).toBeLessThan(
    rows.findIndex((row) => row.includes('Clean up')),
  )
  for (const said of ['Every second', 'Every day', '1.5 s', 'at most 2.5 s'])
    expect(rows.join()).toContain(said)
})

it('a message from the contact page shows who wrote what, and is answered by email [PUB-7]', async () => {
  const message = {
    id: 4,
    at: AT,
    about: 'PawCare',
    name: 'Thandi Mokoena',
    email: 'thandi@example.com',
    mobile: '',
    company: '',
    text: 'Is my cat covered?',
  }
  show(
    MessageLog,
    failsFirst(() => Response.json({ messages: [message], next: null })),
  )
  await expect.element(page.getByText('We couldn’t load the messages')).toBeVisible()
  await button('Try again').click()
  await expect.element(page.getByText('Is my cat covered?')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Answer Thandi Mokoena by email' }))
    .toHaveAttribute('href', 'mailto:thandi%40example.com?subject=Re%3A%20PawCare')
})
