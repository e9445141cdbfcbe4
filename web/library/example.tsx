import { Badge } from '../ui/badge.tsx'

const MARK = / \(example\)$/

/** Invented content has a mark at the end of its name. Pages show a badge instead. */
export const isExample = (name: string) => MARK.test(name)
export const plainName = (name: string) => name.replace(MARK, '')

export const ExampleBadge = ({ of }: { of: string }) => (isExample(of) ? <Badge>Example</Badge> : null)
