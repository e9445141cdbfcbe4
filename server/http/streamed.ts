/** An answer whose JSON leaves in pieces while it is made, for one too long to hold. The contract doesn't check it. */
export class Streamed<T> {
  /** What the pieces add up to. */
  declare readonly whole?: T
  readonly pieces: AsyncIterable<string>
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces
  }
}

/** A piece of a text in JSON, without the quotes around it. */
export const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
