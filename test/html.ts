/* Finds errors in an HTML document from its text alone. */

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const RAW = /<(script|style|textarea|title)\b[^>]*>([\s\S]*?)<\/\1>/g
const PHRASING = /^(span|p|b|strong|em|i|s|small|label|button|summary|h[1-6]|pre)$/
const FLOW =
  /^(address|article|aside|blockquote|details|dialog|div|dl|fieldset|figure|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|ul)$/
/** The elements that must be direct children of others. */
const PARENTS: Record<string, RegExp> = {
  li: /^(ul|ol|menu)$/,
  dt: /^(dl|div)$/,
  dd: /^(dl|div)$/,
  summary: /^details$/,
  figcaption: /^figure$/,
  source: /^(picture|audio|video)$/,
  option: /^(select|optgroup|datalist)$/,
  tr: /^(thead|tbody|tfoot|table)$/,
  td: /^tr$/,
  th: /^tr$/,
}
const LISTS: Record<string, RegExp> = {
  ul: /^(li|script|template)$/,
  ol: /^(li|script|template)$/,
  dl: /^(dt|dd|div|script|template)$/,
}
/** The attributes that an element must have. */
const NEEDED: Record<string, string[]> = {
  html: ['lang'],
  img: ['src', 'alt', 'width', 'height'],
  iframe: ['src', 'title'],
  button: ['type'],
  a: ['href'],
  track: ['src', 'kind'],
}
const LABELLED = /^(button|input|meter|output|progress|select|textarea)$/
const REFERENCES = [
  'for',
  'form',
  'list',
  'headers',
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-owns',
  'aria-details',
  'aria-errormessage',
  'aria-activedescendant',
]
const TAG = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[^\s"'<>/=]+(?:=(?:"[^"]*"|'[^']*'))?)*)\s*(\/?)>/g

/** Lists the elements in document order, and the tags that don't match. */
function read(html: string) {
  const troubles: string[] = []
  const elements: { name: string; attributes: Map<string, string>; inside: string[] }[] = []
  const open: string[] = []
  const bare = html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(RAW, (whole, name: string) => `${whole.slice(0, whole.indexOf('>') + 1)}</${name}>`)
  for (const [, end, tag = '', rest = '', closed] of bare.matchAll(TAG)) {
    const name = tag.toLowerCase()
    if (end) {
      if (open.pop() !== name) troubles.push(`</${name}> closes what is not open`)
      continue
    }
    const attributes = new Map<string, string>()
    for (const [, written = '', , value = ''] of rest.matchAll(/([^\s"'<>/=]+)(=(?:"([^"]*)"))?/g)) {
      const key = written.toLowerCase()
      if (attributes.has(key)) troubles.push(`<${name}> says ${key} twice`)
      attributes.set(key, value)
    }
    elements.push({ name, attributes, inside: [...open] })
    if (!VOID.has(name) && !closed) open.push(name)
  }
  if (open.length > 0) troubles.push(`not closed: ${open.join(' ')}`)
  const left = bare.replace(/<!doctype html>/i, '').replace(TAG, '')
  if (left.includes('<'))
    troubles.push(`a < that begins nothing: ${left.slice(left.indexOf('<'), left.indexOf('<') + 40)}`)
  return { elements, troubles }
}

export function troublesIn(html: string): string[] {
  const { elements, troubles } = read(html)
  const all = (name: string) => elements.filter((one) => one.name === name)
  if (!/^<!doctype html>/i.test(html)) troubles.push('no doctype')
  if (all('h1').length !== 1) troubles.push(`${all('h1').length} h1`)
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? [])
  const known = new Set(ids)
  if (known.size < ids.length)
    troubles.push(`ids twice: ${ids.filter((id, at) => ids.indexOf(id) !== at).join(' ')}`)
  for (const { name, attributes, inside } of elements) {
    for (const key of REFERENCES)
      for (const id of attributes.get(key)?.split(' ') ?? [])
        if (!known.has(id)) troubles.push(`<${name} ${key}> names ${id}, which is not there`)
    const named = elements.find(({ attributes: its }) => its.get('id') === attributes.get('for'))
    if (name === 'label' && attributes.has('for') && named && !LABELLED.test(named.name))
      troubles.push(`<label for> names <${named.name}>, which takes no label`)
    if (name === 'input' && attributes.get('autocomplete') === 'street-address')
      troubles.push('<input> asks for an address of several lines')
    for (const key of NEEDED[name] ?? [])
      if (!attributes.has(key))
        troubles.push(`<${name}> without ${key}: ${[...attributes.values()].join(' ')}`)
    const parent = inside.at(-1) ?? ''
    if (PARENTS[name] && !PARENTS[name].test(parent)) troubles.push(`<${name}> in <${parent}>`)
    if (LISTS[parent] && !LISTS[parent].test(name)) troubles.push(`<${name}> directly in <${parent}>`)
    const href = attributes.get('href')
    if (name === 'a' && href?.startsWith('#') && href !== '#' && !known.has(href.slice(1)))
      troubles.push(`a link to ${href}, which is not there`)
    if (/^(a|button|summary)$/.test(name) && inside.some((one) => /^(button|summary)$/.test(one)))
      troubles.push(`<${name}> in something that is pressed itself`)
    const asks = /^(input|select|textarea)$/.test(name) && attributes.get('type') !== 'hidden'
    const labelled =
      inside.includes('label') ||
      attributes.has('aria-label') ||
      all('label').some((label) => label.attributes.get('for') === attributes.get('id'))
    if (asks && !labelled) troubles.push(`<${name} name=${attributes.get('name')}> has no label`)
    if (name === 'a' && inside.includes('a')) troubles.push('a link in a link')
    if (FLOW.test(name) && PHRASING.test(parent) && !(parent === 'summary' && /^h[1-6]$/.test(name)))
      troubles.push(`<${name}> in <${parent}>`)
  }
  return troubles
}

/** The visible text. */
export const wordsOf = (html: string) =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<link\b[^>]*>/g, ' ')
    .replace(/ (content|alt|title|aria-label)="([^"]*)"/g, '>$2<')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;|\u00a0/g, ' ')
