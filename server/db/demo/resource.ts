export interface DemoResource {
  title: string
  picture: 'bird' | 'cat' | 'dog' | 'guinea-pig' | 'other' | 'rabbit'
  /** The first paragraph. */
  about: string
  /** The film is in public/films/. */
  hasFilm?: true
  chapters: Record<string, string[]>
}
