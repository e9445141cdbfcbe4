import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { CARE_RULES } from '#contract/care.ts'
import { INCIDENTS } from '#contract/claims.ts'
import { ERRORS } from '#contract/errors.ts'
import { PASSWORD_RULES } from '#contract/fields.ts'
import { PAID_FOR } from '#contract/ledger.ts'
import { REGIONS } from '#contract/regions.ts'

// eslint-disable-next-line typescript/no-explicit-any -- the parser's tree has a shape for each of a hundred kinds of node
type Node = { type: string; start: number; [key: string]: any }

const ROOT = path.resolve(import.meta.dirname, '..')
/** Staff pages aren't translated, nor are the public site and the offline page, whose texts are whole pages. */
const NOT_FOR_OWNERS =
  /\.test\.tsx?$|^web\/(admin|clinical|clinics|content|coupons|escalation|factor|library|logs|overview|people|phone|portal|queue|roster|sandbox|site|vets)\/|^web\/urgency\/rules-|^web\/claims\/(every-claim|decision-dialog)|^web\/ledger\/(money(-failed|-unfinished)?|refund-dialog)|^web\/ui\/(changed-meanwhile|gallery|icon|work-table)|^web\/lib\/worker|^web\/shell\/(page-parts|region-words|reviewed-by|structured-data)|^web\/contact\/(.*page|newsletter-parts)|^web\/consultations\/case-words/
const NAMES_A_SENTENCE = ['say', 'sentence']
/** Attributes that are shown or read out. */
const SHOWN =
  /^(title|lead|label|busyLabel|what|help|due|note|legend|choose|change|emailHelp|signInSays|alt|placeholder|off|unanswered|aria-(label|roledescription|valuetext))$/
/** Functions whose arguments people never see. */
const UNREAD =
  /^(Error|TypeError|words|RegExp|append|set|matchMedia|querySelector(All)?|create(Element|Range))$/

export interface Page {
  path: string
  code: string
}

const pageAt = (file: string): Page => ({ path: file, code: readFileSync(path.join(ROOT, file), 'utf8') })

export const ownersPages = (): Page[] =>
  globSync('web/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((file) => !NOT_FOR_OWNERS.test(file))
    .toSorted()
    .map(pageAt)

/** These are the same in every language. */
const NAMES = /^(VetChat|American Express|Diners Club|Samsung Internet|Dr \$1)$/

const hasLetters = (text: string) => /\p{L}{2}/u.test(text)
const readsLikeOne = (text: string) =>
  /^[“‘(]?[A-Z0-9][^]*[a-z]/.test(text) && (/\S\s+\S/.test(text) || /[.…?]$/.test(text))

function* below(node: unknown, above: Node[] = []): Generator<[node: Node, above: Node[]]> {
  if (typeof node !== 'object' || node === null) return
  const isNode = !Array.isArray(node) && typeof (node as Node).type === 'string'
  if (isNode) yield [node as Node, above]
  const next = isNode ? [...above, node as Node] : above
  for (const inner of Object.values(node)) yield* below(inner, next)
}

const nameOf = (call: Node): string => call.callee?.name ?? call.callee?.property?.name ?? ''

/** Pages name an error by its code. Its sentence is in the catalogue of errors. */
const isCode = (node: Node) => node.type === 'CallExpression' && nameOf(node) === 'words'

function* namedBy({ path: file, code }: Page) {
  for (const [node] of below(parseSync(file, code).program))
    if (node.type === 'CallExpression' && NAMES_A_SENTENCE.includes(nameOf(node)))
      for (const [inner, above] of below(node.arguments[0]))
        if (inner.type === 'Literal' && typeof inner.value === 'string' && !above.some(isCode))
          yield inner.value as string
}

/** Every sentence that owners read: from the pages, and from the server's errors. */
export const allSentences = () =>
  new Set([
    ...[...ownersPages(), pageAt('web/shell/region-words.ts')].flatMap((page) => [...namedBy(page)]),
    ...Object.values(ERRORS).map(({ message }) => message),
    ...Object.values(INCIDENTS),
    ...Object.values(PAID_FOR),
    ...[...Object.values(CARE_RULES).flat(), ...PASSWORD_RULES].map(({ says }) => says),
    ...Object.values(REGIONS).map(({ online }) => online),
  ])

interface Text {
  text: string
  at: string
  node: Node
  above: Node[]
}

function textIn(node: Node): unknown {
  if (node.type === 'JSXText' || node.type === 'Literal') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return node.quasis.map((part: Node) => part.value.cooked).join('…')
}

/** All readable text in a file, with … for placeholders. */
export function* textsIn({ path: file, code }: Page): Generator<Text> {
  for (const [node, above] of below(parseSync(file, code).program)) {
    const text = textIn(node)
    if (typeof text === 'string' && hasLetters(text))
      yield { text: text.trim(), at: `${file}:${code.slice(0, node.start).split('\n').length}`, node, above }
  }
}

/** Readable texts that no catalogue contains, one line each. */
export function unnamed(page: Page): string[] {
  const found: string[] = []
  for (const { text, at, node, above } of textsIn(page)) {
    if (NAMES.test(text)) continue
    const parent = above.at(-1)!
    const attribute = above.findLast(({ type }) => type === 'JSXAttribute')
    const name = typeof attribute?.name.name === 'string' ? attribute.name.name : ''
    const given = above.some(
      (one) =>
        /^(Call|New)Expression$/.test(one.type) &&
        (UNREAD.test(nameOf(one)) || NAMES_A_SENTENCE.includes(nameOf(one))),
    )
    const isRead =
      node.type === 'JSXText' ||
      (!given &&
        !/^(Import|Export)|^TS/.test(parent.type) &&
        !(parent.type === 'Property' && parent.key === node) &&
        (parent.type === 'JSXAttribute'
          ? SHOWN.test(name)
          : readsLikeOne(text) && (!name || SHOWN.test(name))))
    if (isRead) found.push(`${at} says “${text}”`)
  }
  return found
}
