import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

/** A source file as the architecture tests see it: its imports, names, globals and JSX. */
export interface Source {
  path: string
  code: string
  imports: Found<{ from: string; names: Map<string, string> }>[]
  /** Globals as used, such as `process.env.PORT`, `new Date()` and `fetch()`. */
  uses: Found<{ what: string }>[]
  /** Tables passed to insert, update or delete, by their names in the schema. */
  changes: Found<{ table: string }>[]
  /** Whether it contains JSX. */
  jsx: boolean
  /** Its top-level declarations by name. The default export is called `default`. */
  parts: Map<string, { mentions: Set<string>; handlers: Found<{ attribute: string }>[] }>
}

type Found<T> = T & { line: number }
// eslint-disable-next-line typescript/no-explicit-any -- the parser's tree has a shape for each of a hundred kinds of node
type Node = { type: string; start: number; [key: string]: any }

const ROOT = path.resolve(import.meta.dirname, '..')
const SCHEMA = 'server/db/schema.ts'

export function readSources(): Source[] {
  const files = globSync('{contract,server,web,test,scripts}/**/*.{ts,tsx,mjs}', { cwd: ROOT })
  return files
    .filter((file) => !file.endsWith('.d.ts'))
    .toSorted()
    .map((file) => sourceOf(file, readFileSync(path.join(ROOT, file), 'utf8')))
}

export function sourceOf(file: string, code: string): Source {
  const { program, module, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]!.message}`)
  const lineAt = (start: number) => code.slice(0, start).split('\n').length
  const source: Source = {
    path: file,
    code,
    imports: [],
    uses: [],
    changes: [],
    jsx: false,
    parts: new Map(),
  }

  const addImport = (from: string, start: number, names = new Map<string, string>()) =>
    source.imports.push({ from: resolved(file, from), names, line: lineAt(start) })
  for (const { moduleRequest, entries, start } of module.staticImports)
    addImport(
      moduleRequest.value,
      start,
      new Map(
        entries.map((entry) => [
          entry.localName.value,
          entry.importName.name ?? entry.importName.kind.toLowerCase(),
        ]),
      ),
    )
  for (const { entries, start } of module.staticExports)
    for (const { moduleRequest } of entries) if (moduleRequest) addImport(moduleRequest.value, start)
  for (const { moduleRequest, start } of module.dynamicImports) {
    const literal = /^(['"`])([^$]*)\1$/.exec(code.slice(moduleRequest.start, moduleRequest.end))
    if (literal) addImport(literal[2]!, start)
  }

  const tables = new Set(
    source.imports.flatMap(({ from, names }) => (from === SCHEMA ? [...names.keys()] : [])),
  )
  eachNode(program, (node) => {
    if (/^JSX(Element|Fragment)$/.test(node.type)) source.jsx = true
    const used = useOf(node)
    if (used) source.uses.push({ what: used, line: lineAt(node.start) })
    const [first] = (node.type === 'CallExpression' && node.arguments) || []
    if (
      first?.type === 'Identifier' &&
      tables.has(first.name) &&
      /^(insert|update|delete)$/.test(node.callee.property?.name)
    )
      source.changes.push({ table: first.name, line: lineAt(node.start) })
  })

  for (const statement of (program as unknown as Node).body as Node[])
    for (const [name, node] of partsOf(statement)) {
      const mentions = new Set<string>()
      const handlers: Found<{ attribute: string }>[] = []
      eachNode(node, (inner) => {
        if (inner.type === 'Identifier' || inner.type === 'JSXIdentifier') mentions.add(inner.name)
        if (inner.type === 'JSXAttribute' && /^on[A-Z]/.test(inner.name.name))
          handlers.push({ attribute: inner.name.name, line: lineAt(inner.start) })
      })
      source.parts.set(name, { mentions, handlers })
    }
  return source
}

/** A path inside the project, or the name of a package. */
function resolved(file: string, from: string): string {
  if (from.startsWith('#')) return from.slice(1)
  return from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from) : from
}

function useOf({ type, ...node }: Node): string | undefined {
  const called = type === 'CallExpression' ? 'call' : type === 'NewExpression' ? 'new' : undefined
  if (called && node['callee'].type === 'Identifier') {
    const { name } = node['callee']
    if (called === 'call') return `${name}()`
    return node['arguments'].length === 0 ? `new ${name}()` : `new ${name}(…)`
  }
  if (called === 'call' && node['callee'].object?.type === 'Identifier')
    return `${node['callee'].object.name}.${node['callee'].property.name}()`
  const object = type === 'MemberExpression' ? node['object'] : undefined
  if (
    object?.type === 'MemberExpression' &&
    object.object.name === 'process' &&
    object.property.name === 'env'
  )
    return `process.env.${node['property'].name ?? node['property'].value}`
  if (object?.name === 'process' && node['property'].name === 'env') return 'process.env'
  return undefined
}

function eachNode(value: unknown, see: (node: Node) => void) {
  if (Array.isArray(value)) for (const one of value) eachNode(one, see)
  else if (value !== null && typeof value === 'object') {
    if ('type' in value && typeof value.type === 'string') see(value as Node)
    for (const name in value) eachNode(value[name as keyof typeof value], see)
  }
}

function partsOf(statement: Node): [string, Node][] {
  const { type, declaration } = statement
  if (type === 'ExportDefaultDeclaration')
    return [
      ['default', declaration],
      ...(declaration.id ? [[declaration.id.name, declaration] as [string, Node]] : []),
    ]
  if (type === 'ExportNamedDeclaration') return declaration ? partsOf(declaration) : []
  if (type === 'VariableDeclaration')
    return statement['declarations'].map((one: Node) => [one['id'].name, one])
  return statement['id'] ? [[statement['id'].name, statement]] : []
}
