export interface DemoResource {
  title: string
  picture: 'bird' | 'cat' | 'dog' | 'guinea-pig' | 'other' | 'rabbit'
  /** The first paragraph. */
  about: string
  chapters: Record<string, string[]>
}
