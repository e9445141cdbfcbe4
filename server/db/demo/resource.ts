export interface DemoResource {
  title: string
  picture: 'bird' | 'cat' | 'dog' | 'guinea-pig' | 'other' | 'rabbit'
  /** The first paragraph. */
  about: string
  /** public/films/ has one. */
  hasFilm?: true
  chapters: Record<string, string[]>
}
