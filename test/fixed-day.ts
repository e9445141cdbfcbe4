/** When each file of call tests begins, in every run: no test depends on how long this month is. From there time runs. */
const BEGIN = Date.parse('2026-11-21T09:00:00Z')

// A worker runs many files, and this for each of them.
const shared = globalThis as { RealDate?: DateConstructor }
const RealDate = (shared.RealDate ??= Date)
const ahead = BEGIN - RealDate.now()
const now = () => RealDate.now() + ahead

globalThis.Date = new Proxy(RealDate, {
  construct: (real, given: [], newTarget) =>
    Reflect.construct(real, given.length > 0 ? given : [now()], newTarget) as Date,
  get: (real, name) => (name === 'now' ? now : (Reflect.get(real, name) as unknown)),
})
