import type { Plugin } from 'vite'

interface Node {
  type: string
  start: number
  end: number
  name?: string
  body?: Node[]
  declaration?: Node | null
  declarations?: { init: Node | null }[]
  callee?: Node
  arguments?: (Node & { properties?: (Node & { key?: Node })[] })[]
}
const DEFINES = ['call', 'event', 'push']
/** The fields of a definition that a page needs to send it, besides its method, path or name. */
const OF_THE_PAGE = ['upload', 'idempotent']

/** Whether a bundler would keep it even if it is unused, because it may have side effects. */
const doesSomething = (node: unknown): boolean =>
  typeof node === 'object' &&
  node !== null &&
  !/Function/.test((node as Node).type ?? '') &&
  (/^(Call|New|Member)Expression$|^SpreadElement$/.test((node as Node).type ?? '') ||
    Object.values(node).some(doesSomething))

/** A constant of the contract, rewritten so that a bundler drops it from pages that don't use it. */
function droppable({ type, callee, start, end, arguments: given = [] }: Node, code: string) {
  const textOf = (node: Pick<Node, 'start' | 'end'>) => code.slice(node.start, node.end)
  if (type !== 'CallExpression' || !DEFINES.includes(callee?.name ?? ''))
    return `/* @__PURE__ */ (() => (${textOf({ start, end })}))()`
  const named = given.slice(0, -1).map(textOf)
  const kept = given.at(-1)!.properties?.filter(({ key }) => OF_THE_PAGE.includes(key?.name ?? '')) ?? []
  const rest = kept.length > 0 ? [`{ ${kept.map(textOf).join(', ')} }`] : []
  return `/* @__PURE__ */ ${callee!.name}(${[...named, ...rest].join(', ')})`
}

/** Only the server validates input and output, so pages get the contract's addresses and constants but no schemas. */
export const noSchemas: Plugin = {
  name: 'no-schemas',
  apply: 'build',
  transform(code, id) {
    if (!/\/contract\/[\w-]+\.ts$/.test(id)) return undefined
    const { body = [] } = this.parse(code) as unknown as Node
    const constants = body
      .flatMap((statement) => (statement.declaration ?? statement).declarations ?? [])
      .flatMap(({ init }) => (init && doesSomething(init) ? [init] : []))
    const without = constants
      .toReversed()
      .reduce((rest, init) => rest.slice(0, init.start) + droppable(init, code) + rest.slice(init.end), code)
    return { code: without, map: null }
  },
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk' && file.moduleIds.some((id) => id.includes('/node_modules/zod/')))
        this.error(
          `${file.name} carries zod: is a constant of the contract destructured, or its schema read?`,
        )
  },
}
