import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findShell, launchOptions } from './test/browser.ts'
import { findPostgres } from './test/postgres.ts'

const callTests = ['server/**/*.test.ts', 'contract/**/*.test.ts', 'test/*.test.ts']
const races = 'server/**/*.race.test.ts'
/** QUICK leaves these out: races, processes, real mail servers, and memberships over months. */
const heavyTests = [
  races,
  'server/main.test.ts',
  'server/memberships/memberships.test.ts',
  'server/providers/mail.test.ts',
]
const hasPostgres = findPostgres() !== undefined
/** The embedded database has one connection, so nothing races there. */
const leftOut = process.env['QUICK'] ? heavyTests : hasPostgres ? [] : [races]
/** Call tests that run on the embedded database as well: those whose SQL it might read differently. */
const EMBEDDED_TOO = [
  'server/chat/chat.test.ts',
  'server/consultations/consultations.test.ts',
  'server/db/*.test.ts',
  'server/queue/queue.test.ts',
]

/** Each worker keeps its database from file to file. */
const IN_WORLDS = { isolate: false, setupFiles: ['test/close-worlds.ts'] }

const componentTests = 'web/**/*.test.tsx'
const withWords = (words: RegExp) =>
  globSync(componentTests).filter((file) => words.test(readFileSync(file, 'utf8')))
/** Parts that go on sending what was typed or read after they have left the page. */
const keepSending = [
  'web/chat/composer-files.test.tsx',
  'web/chat/conversation.test.tsx',
  'web/clinical/note.test.tsx',
  'web/phone/phone.test.tsx',
  'web/queue/console-case.test.tsx',
  'web/queue/console-guest.test.tsx',
  'web/records/questions.test.tsx',
]
/** A page that loaded a module can't replace it, and keeps what a module loaded once more listens to. */
const withOwnPage = [...withWords(/vi\.mock\(|@vite-ignore/), ...keepSending]
/** Tests that name a weekday or a time of day on the page must pass in any zone and on any day. */
const withTimes = withWords(/\b(Sun|Mon|Tue|Wed|Thu|Fri|Sat) |'\d\d:\d\d|today\(/)

const chromium = (name: string, timezoneId: string, daysOn: number, files: object) => ({
  browser: 'chromium' as const,
  name,
  // One page for all files, which `around-tests.ts` clears after each test.
  isolate: false,
  provide: { daysOn },
  provider: playwright({ launchOptions: launchOptions(findShell()), contextOptions: { timezoneId } }),
  ...files,
})

export default defineConfig({
  test: {
    // Long enough for a busy machine: a test that times out keeps running and breaks the next ones.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: EMBEDDED_TOO,
          exclude: [races],
          ...IN_WORLDS,
          // An embedded database takes seconds to make.
          maxWorkers: 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'calls',
          include: callTests,
          exclude: leftOut,
          ...IN_WORLDS,
          globalSetup: hasPostgres ? 'test/postgres.ts' : [],
          env: { TZ: 'Australia/Sydney' },
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        plugins: [tailwindcss()],
        resolve: { alias: { 'socket.io-client': path.resolve('web/test/still-socket.ts') } },
        // A package that Vite finds late would reload the page in the middle of a test.
        optimizeDeps: { entries: ['web/**/*.{ts,tsx}', 'contract/**/*.ts'] },
        test: {
          name: 'browser',
          setupFiles: ['web/app.css', 'web/test/around-tests.ts'],
          // Two pages of one browser would take the pointer and the focus from each other.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright(),
            instances: [
              chromium('here', 'Africa/Johannesburg', 0, { include: [componentTests], exclude: withOwnPage }),
              chromium('alone', 'Africa/Johannesburg', 0, { include: withOwnPage, isolate: true }),
              chromium('elsewhere', 'Australia/Sydney', 37, { include: withTimes }),
            ],
            viewport: { width: 390, height: 844 },
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: 'test/e2e/template.ts',
          // In CI a journey that a busy machine fails gets a second try, and the check names it.
          retry: process.env.CI ? 1 : 0,
          // Each worker keeps its shared product from file to file. Two would leave a tenth of two cores idle.
          isolate: false,
          maxWorkers: 3,
          // While one page waits until its network is idle, another is checked.
          maxConcurrency: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
