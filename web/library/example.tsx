import { Badge } from '../ui/badge.tsx'

const MARK = / \(example\)$/

/** Invented content says so at the end of its name; on a page a badge says it. */
export const isExample = (name: string) => MARK.test(name)
export const plainName = (name: string) => name.replace(MARK, '')

export const ExampleBadge = ({ of }: { of: string }) => (isExample(of) ? <Badge>Example</Badge> : null)
